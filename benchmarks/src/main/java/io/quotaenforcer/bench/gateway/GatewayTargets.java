package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.gateway.served.Kind;
import java.util.List;

/** Targets for a gateway that holds limits together with others. */
final class GatewayTargets {
  private static final double OF_UNDECIDED = 0.7;
  private static final double P99_MILLIS = 5;

  private GatewayTargets() {}

  static Targets of(List<GatewayRow> rows) {
    Targets targets = new Targets();
    for (GatewayRow row : rows) {
      String name = row.protocol() + ", " + row.server();
      targets.atMost(name + ": requests that failed", row.failed(), 0);
      if (row.server().equals(Kind.GATEWAY.text())) {
        targets.atLeast(
            name + ": requests a second, of OK undecided", row.ofUndecided(), OF_UNDECIDED);
        targets.atMost(name + ": p99 at half its peak, ms", row.p99(), P99_MILLIS);
      }
    }
    targets.atLeast(
        "servers that count in Redis, beside it (there is none without redis-server)",
        rows.stream().filter(row -> row.server().equals(Kind.REDIS.text())).count(),
        1);
    return targets;
  }
}
