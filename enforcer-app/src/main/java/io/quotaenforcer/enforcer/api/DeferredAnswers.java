package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.http.DeferredJson;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery.Where;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.enforcer.query.QueueStats;
import io.quotaenforcer.server.JsonResponse;
import io.quotaenforcer.server.access.Role;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Deferred requests, without their payloads. */
final class DeferredAnswers {
  private static final String QUEUES = "queues";
  private static final String REQUESTS = "requests";
  private static final String RULE = "rule";
  private static final String WAITING = "waiting";
  private static final String OLDEST = "oldestSince";
  private static final List<String> SUMS = List.of("keys", WAITING, "bytes", "unacknowledged");
  private static final Comparator<JsonNode> BY_PLACE =
      Comparator.comparing(row -> DeferredPlace.parse(row.path("place").asText()));

  private DeferredAnswers() {}

  static ObjectNode byRule(ApiCall call, ApiSources sources) {
    ObjectNode body = JsonResponse.object();
    ArrayNode queues = body.putArray(QUEUES);
    sources
        .queries()
        .deferred()
        .statsByRule(new Where(scope(call).orElse(DeferredScope.ALL), Set.of()))
        .found()
        .forEach(stats -> put(queues.addObject(), stats));
    return body;
  }

  private static void put(ObjectNode row, QueueStats stats) {
    row.put(RULE, stats.name())
        .put("keys", stats.keys())
        .put(WAITING, stats.total())
        .put("bytes", stats.bytes())
        .put("unacknowledged", stats.unacknowledged());
    if (stats.total() > 0) {
      row.put(OLDEST, Instant.ofEpochMilli(stats.oldestMillis()).toString());
    }
  }

  static ObjectNode mergeRules(ApiCall call, List<JsonNode> answers) {
    Map<String, JsonNode> rules = new TreeMap<>();
    Rows.of(answers, QUEUES)
        .forEach(row -> rules.merge(row.path(RULE).asText(), row, DeferredAnswers::plus));
    return Rows.first(
        List.copyOf(rules.values()),
        QUEUES,
        Rows.byNumberFalling(WAITING).thenComparing(Rows.byText(RULE)),
        Integer.MAX_VALUE);
  }

  private static JsonNode plus(JsonNode one, JsonNode other) {
    ObjectNode sum = one.deepCopy();
    SUMS.forEach(name -> sum.put(name, one.path(name).asLong() + other.path(name).asLong()));
    if (other.has(OLDEST)
        && (!one.has(OLDEST)
            || Instant.parse(other.path(OLDEST).asText())
                .isBefore(Instant.parse(one.path(OLDEST).asText())))) {
      sum.set(OLDEST, other.path(OLDEST));
    }
    return sum;
  }

  static ObjectNode requests(ApiCall call, ApiSources sources) {
    Optional<DeferredPlace> after = call.parameters().get(ApiRoutes.AFTER, DeferredPlace::parse);
    return DeferredJson.list(
        sources
            .queries()
            .deferred()
            .list(
                new Where(
                    scope(call)
                        .orElseThrow(
                            () -> new IllegalArgumentException("must be given one of: rule, key")),
                    Set.of()),
                after,
                call.limit()));
  }

  private static Optional<DeferredScope> scope(ApiCall call) {
    Optional<DeferredScope> rule =
        call.parameters().get(ApiRoutes.RULE, text -> DeferredScope.of(RuleId.parse(text)));
    Optional<DeferredScope> key =
        call.parameters().get(ApiRoutes.KEY, text -> DeferredScope.of(QuotaKey.parse(text)));
    if (rule.isPresent() && key.isPresent()) {
      throw new IllegalArgumentException("must be given one of: rule, key");
    }
    return rule.or(() -> key);
  }

  /** Payloads are for operators, and of one request only. */
  static ObjectNode shown(ApiCall call, ApiSources sources) {
    String id = call.given(ChangeRoutes.ID);
    Optional<QuotaKey> key = call.parameters().get(ApiRoutes.KEY, QuotaKey::parse);
    boolean payload = call.parameters().flag(ChangeRoutes.PAYLOAD);
    if (payload) {
      ApiGuard.checkRole(Role.OPERATOR, call.caller());
      call.given(ApiRoutes.KEY);
    }
    return DeferredJson.show(
        sources
            .queries()
            .deferred()
            .show(id, Set.of())
            .map(
                found ->
                    found.stream()
                        .filter(it -> key.map(it.request().quotaKey()::equals).orElse(true))
                        .toList()),
        payload);
  }

  static ObjectNode mergeShown(ApiCall call, List<JsonNode> answers) {
    ObjectNode body = JsonResponse.object();
    Rows.of(answers, REQUESTS).forEach(body.putArray(REQUESTS)::add);
    return body;
  }

  static ObjectNode mergeRequests(ApiCall call, List<JsonNode> answers) {
    return Rows.page(answers, REQUESTS, BY_PLACE, call.limit());
  }
}
