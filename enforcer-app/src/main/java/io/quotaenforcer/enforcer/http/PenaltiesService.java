package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.PenalizedKey;
import io.quotaenforcer.enforcer.query.PenaltiesQuery;
import io.quotaenforcer.enforcer.query.PenaltiesQuery.Where;
import io.quotaenforcer.server.JsonResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * {@code GET /v1/penalties}: the quota keys of this enforcer's partitions that are under a penalty,
 * in the order of their texts. Parameters, all of which may be absent, are those of {@link
 * DeferredPaths}: {@code rule}, {@code after} (a quota key), {@code limit}, {@code partitions}.
 */
public final class PenaltiesService {
  public static final String PATH = "/v1/penalties";
  public static final String LIST = "penalties";

  private static final Set<String> PARAMETERS =
      Set.of(
          DeferredPaths.RULE, DeferredPaths.AFTER, DeferredPaths.LIMIT, DeferredPaths.PARTITIONS);

  private PenaltiesService() {}

  static HeavyService list(PenaltiesQuery query, Semaphore turns) {
    return new HeavyService(
        context -> {
          Parameters given = Parameters.of(context, PARAMETERS);
          return json(
              query.list(
                  new Where(
                      given.get(DeferredPaths.RULE, RuleId::parse),
                      given.numbers(DeferredPaths.PARTITIONS)),
                  given.get(DeferredPaths.AFTER, QuotaKey::parse),
                  given.number(
                      DeferredPaths.LIMIT, DeferredPaths.DEFAULT_LIMIT, DeferredPaths.MAX_LIMIT)));
        },
        turns);
  }

  /** A page of penalties. */
  public static ObjectNode json(CoveredAnswer<Page<PenalizedKey>> answer) {
    ObjectNode root = JsonResponse.object();
    ArrayNode penalties = root.putArray(LIST);
    for (PenalizedKey key : answer.found().rows()) {
      penalties
          .addObject()
          .put("quotaKey", key.quotaKey().toString())
          .put("rule", key.quotaKey().rule().toString())
          .put("mode", key.mode().name().toLowerCase(Locale.ROOT))
          .put("since", key.since().toString())
          .put("until", key.until().toString())
          .put("inARow", key.inARow());
    }
    root.put("more", answer.found().more());
    return CoverageJson.with(root, answer.coverage());
  }
}
