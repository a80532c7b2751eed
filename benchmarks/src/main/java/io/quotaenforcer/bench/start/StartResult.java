package io.quotaenforcer.bench.start;

import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was measured; null is what was not. */
record StartResult(@Nullable ClientStart client, @Nullable DemoStart demo, @Nullable Sizes sizes) {
  private static final double MOST_CLIENT_MILLIS = 1_500;
  private static final double MOST_DEMO_SECONDS = 8;
  private static final double MOST_CLIENT_KB = 300;

  Targets targets() {
    Targets targets = new Targets();
    if (client != null) {
      targets.atMost(
          "ms from build() to the first snapshot beyond a consumer's connect",
          client.beyondConnectMillis(),
          MOST_CLIENT_MILLIS);
    }
    if (demo != null) {
      targets.atMost("s to the demo's first table", demo.seconds(), MOST_DEMO_SECONDS);
    }
    if (sizes != null) {
      targets.atMost("KB of the admission client's jar", sizes.clientKb(), MOST_CLIENT_KB);
    }
    return targets;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    if (client != null) {
      lines.addAll(client.describe());
    }
    if (demo != null) {
      lines.addAll(demo.describe());
    }
    if (sizes != null) {
      lines.addAll(sizes.describe());
    }
    lines.add("");
    lines.addAll(targets().describe());
    return lines;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("machine", Machine.here().toJson());
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("clientHeapMebibytes", ClientStart.HEAP_MEBIBYTES);
    configuration.put("clientSettings", "defaults");
    configuration.put("brokerAndEnforcer", "in the process that measures, already running");
    configuration.put("demo", "./quota demo, built before, its output not a terminal");
    json.put("configuration", configuration);
    if (client != null) {
      json.put("client", client.toJson());
    }
    if (demo != null) {
      json.put("demo", demo.toJson());
    }
    if (sizes != null) {
      json.put("sizes", sizes.toJson());
    }
    targets().writeTo(json);
    return json;
  }
}
