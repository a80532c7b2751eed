package io.quotaenforcer.enforcer.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.http.HeavyService.NotShownException;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.DeferredQuery.Where;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.server.HttpToken;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Answers about the deferred requests in the partitions of this enforcer: {@link DeferredPaths}. An
 * answer says in {@code partitions} which ones it covers, and where the others are.
 */
final class DeferredService {
  private DeferredService() {}

  static HeavyService stats(DeferredQuery query, Semaphore turns) {
    return new HeavyService(
        context -> {
          Parameters given =
              parameters(
                  context,
                  DeferredPaths.RULE,
                  DeferredPaths.KEY,
                  DeferredPaths.BY_KEY,
                  DeferredPaths.LIMIT);
          Where where = new Where(scope(given), given.numbers(DeferredPaths.PARTITIONS));
          int most = limit(given);
          return given.flag(DeferredPaths.BY_KEY)
              ? DeferredJson.statsByKey(query.statsByKey(where, most))
              : DeferredJson.stats(query.statsByRule(where));
        },
        turns);
  }

  static HeavyService list(DeferredQuery query, Semaphore turns) {
    return new HeavyService(
        context -> {
          Parameters given =
              parameters(
                  context,
                  DeferredPaths.RULE,
                  DeferredPaths.KEY,
                  DeferredPaths.AFTER,
                  DeferredPaths.LIMIT);
          DeferredScope scope = scope(given);
          if (scope.isAll()) {
            throw new IllegalArgumentException("must be given: rule, or key");
          }
          Where where = new Where(scope, given.numbers(DeferredPaths.PARTITIONS));
          Optional<DeferredPlace> after = given.get(DeferredPaths.AFTER, DeferredPlace::parse);
          return DeferredJson.list(query.list(where, after, limit(given)));
        },
        turns);
  }

  static HeavyService show(DeferredQuery query, HttpToken token, Semaphore turns) {
    return new HeavyService(
        context -> {
          Parameters given = parameters(context, DeferredPaths.ID, DeferredPaths.PAYLOAD);
          if (given.flag(DeferredPaths.PAYLOAD)) {
            check(token, context.request().headers().get(HttpHeaderNames.AUTHORIZATION));
          }
          String id =
              given
                  .text(DeferredPaths.ID)
                  .orElseThrow(() -> new IllegalArgumentException("must be given: id"));
          return DeferredJson.show(
              query.show(id, given.numbers(DeferredPaths.PARTITIONS)),
              given.flag(DeferredPaths.PAYLOAD));
        },
        turns);
  }

  private static void check(HttpToken token, @Nullable String authorization) {
    switch (token.judge(authorization)) {
      case DISABLED ->
          throw new NotShownException(
              HttpStatus.FORBIDDEN,
              "headers and payloads are shown to nobody: set http.token.file of this enforcer, and"
                  + " send what is in it");
      case REFUSED ->
          throw new NotShownException(
              HttpStatus.UNAUTHORIZED,
              "headers and payloads are shown to those who send the token of http.token.file:"
                  + " Authorization: Bearer TOKEN");
      case ALLOWED -> {}
    }
  }

  private static Parameters parameters(ServiceRequestContext context, String... names) {
    Set<String> known = new HashSet<>(Set.of(names));
    known.add(DeferredPaths.PARTITIONS);
    return Parameters.of(context, known);
  }

  private static DeferredScope scope(Parameters given) {
    Optional<DeferredScope> rule =
        given.get(DeferredPaths.RULE, text -> DeferredScope.of(RuleId.parse(text)));
    Optional<DeferredScope> key =
        given.get(DeferredPaths.KEY, text -> DeferredScope.of(QuotaKey.parse(text)));
    if (rule.isPresent() && key.isPresent()) {
      throw new IllegalArgumentException("must be given only one of: rule, key");
    }
    return rule.or(() -> key).orElse(DeferredScope.ALL);
  }

  private static int limit(Parameters given) {
    return given.number(DeferredPaths.LIMIT, DeferredPaths.DEFAULT_LIMIT, DeferredPaths.MAX_LIMIT);
  }
}
