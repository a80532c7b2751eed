package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.query.Coverage;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.DeferredEntry;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.QueueStats;
import io.quotaenforcer.server.JsonResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Answers about deferred requests as JSON. */
public final class DeferredJson {
  private DeferredJson() {}

  static ObjectNode stats(CoveredAnswer<List<QueueStats>> answer) {
    return stats(answer.found(), answer.coverage());
  }

  static ObjectNode statsByKey(CoveredAnswer<Page<QueueStats>> answer) {
    return stats(answer.found().rows(), answer.coverage()).put("more", answer.found().more());
  }

  /** A page of requests, without their payloads. */
  public static ObjectNode list(CoveredAnswer<Page<DeferredEntry>> answer) {
    ObjectNode root = JsonResponse.object();
    ArrayNode requests = root.putArray("requests");
    answer.found().rows().forEach(entry -> requests.add(entry(entry)));
    root.put("more", answer.found().more());
    return CoverageJson.with(root, answer.coverage());
  }

  /** Requests with their attributes, and if asked for with headers and payload. */
  public static ObjectNode show(CoveredAnswer<List<DeferredEntry>> answer, boolean payload) {
    ObjectNode root = JsonResponse.object();
    ArrayNode requests = root.putArray("requests");
    answer
        .found()
        .forEach(
            entry -> {
              ObjectNode json = entry(entry);
              new TreeMap<>(entry.request().request().attributes())
                  .forEach(json.putObject("attributes")::put);
              if (payload) {
                new TreeMap<>(entry.request().headers()).forEach(json.putObject("headers")::put);
                put(json, entry.request().payload().toByteArray());
              }
              requests.add(json);
            });
    return CoverageJson.with(root, answer.coverage());
  }

  private static ObjectNode stats(List<QueueStats> queues, Coverage coverage) {
    ObjectNode root = JsonResponse.object();
    ArrayNode rows = root.putArray("queues");
    for (QueueStats queue : queues) {
      ObjectNode row = rows.addObject().put("name", queue.name()).put("keys", queue.keys());
      ObjectNode waiting = row.putObject("waiting");
      for (Lane lane : Lane.values()) {
        waiting.put(word(lane), queue.waiting(lane));
      }
      row.put("total", queue.total())
          .put("bytes", queue.bytes())
          .put("unacknowledged", queue.unacknowledged());
      if (queue.total() > 0) {
        row.put("oldestSince", Instant.ofEpochMilli(queue.oldestMillis()).toString());
      }
    }
    return CoverageJson.with(root, coverage);
  }

  private static ObjectNode entry(DeferredEntry entry) {
    DeferredRequest request = entry.request();
    ObjectNode json =
        JsonResponse.object()
            .put("id", request.id())
            .put("quotaKey", request.quotaKey().toString())
            .put("state", entry.released() ? "released" : "waiting")
            .put("lane", word(entry.place().lane()))
            .put("place", entry.place().toString())
            .put("priority", request.priority().name().toLowerCase(Locale.ROOT))
            .put("cost", request.request().cost())
            .put("bytes", entry.bytes())
            .put("payloadBytes", entry.payloadBytes())
            .put("deferredAt", Instant.ofEpochMilli(request.deferredMillis()).toString());
    if (request.deadlineMillis() > 0) {
      json.put("deadline", Instant.ofEpochMilli(request.deadlineMillis()).toString());
    }
    return json;
  }

  private static void put(ObjectNode json, byte[] payload) {
    Optional<String> text = printable(payload);
    if (text.isPresent()) {
      json.put("payload", text.get());
    } else {
      json.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
    }
  }

  /** Readable text: UTF-8 without control characters other than line breaks and tabs. */
  private static Optional<String> printable(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean readable =
          text.codePoints()
              .allMatch(c -> c == '\n' || c == '\r' || c == '\t' || !Character.isISOControl(c));
      return readable ? Optional.of(text) : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static String word(Lane lane) {
    return lane.name().toLowerCase(Locale.ROOT);
  }
}
