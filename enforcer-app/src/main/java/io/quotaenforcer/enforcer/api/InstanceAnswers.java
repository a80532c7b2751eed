package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.activity.HeardInstance;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.enforcer.query.EpochNanos;
import io.quotaenforcer.server.JsonResponse;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who reports. */
final class InstanceAnswers {
  private static final String INSTANCES = "instances";
  private static final String INSTANCE = "instance";
  private static final String EPOCH = "epoch";
  private static final String HEARD = "heardAt";
  private static final String KEYS = "quotaKeys";
  private static final double NANOS_PER_MILLI = 1e6;

  private InstanceAnswers() {}

  /** Of those heard last, as many as there are in an answer. */
  static ObjectNode here(ApiCall call, ApiSources sources) {
    List<HeardInstance> heard =
        sources.reports().activity().instances(sources.epochNanos().getAsLong());
    ObjectNode body = JsonResponse.object();
    ArrayNode rows = body.putArray(INSTANCES);
    heard.stream().limit(call.limit()).forEach(one -> put(rows.addObject(), one));
    return body.put("more", heard.size() > call.limit());
  }

  private static void put(ObjectNode row, HeardInstance heard) {
    row.put(INSTANCE, heard.holder().text())
        .put(EPOCH, Long.toHexString(heard.epoch()))
        .put("kind", kind(heard.holder()))
        .put(HEARD, EpochNanos.instant(heard.heardNanos()).toString())
        .put("loopMillis", Rows.rounded(heard.loopNanos() / NANOS_PER_MILLI))
        .put(KEYS, heard.quotaKeys());
  }

  private static String kind(HolderId holder) {
    if (holder instanceof HolderId.Replays) {
      return "replays";
    }
    return holder instanceof HolderId.Combiner ? "combiner" : "instance";
  }

  /** An instance that reports to several enforcers is one row. */
  static ObjectNode merge(ApiCall call, List<JsonNode> answers) {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    for (JsonNode row : Rows.of(answers, INSTANCES)) {
      rows.merge(
          row.path(INSTANCE).asText() + " " + row.path(EPOCH).asText(),
          row,
          InstanceAnswers::together);
    }
    Comparator<JsonNode> newestFirst = Rows.byText(HEARD).reversed();
    ObjectNode body =
        Rows.first(
            List.copyOf(rows.values()),
            INSTANCES,
            newestFirst.thenComparing(Rows.byText(INSTANCE)),
            call.limit());
    boolean more = answers.stream().anyMatch(answer -> answer.path("more").asBoolean());
    return body.put("more", more || rows.size() > call.limit());
  }

  private static JsonNode together(JsonNode one, JsonNode other) {
    boolean isOlder = one.path(HEARD).asText().compareTo(other.path(HEARD).asText()) < 0;
    ObjectNode newer = (isOlder ? other : one).deepCopy();
    return newer.put(KEYS, one.path(KEYS).asInt() + other.path(KEYS).asInt());
  }
}
