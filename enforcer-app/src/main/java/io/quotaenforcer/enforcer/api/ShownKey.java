package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holding;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.api.Fleet.Told;
import io.quotaenforcer.enforcer.query.EpochNanos;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.JsonResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One quota key: from the ledger of the enforcer that counts it, or else from a copy, which says
 * how far it is behind.
 */
final class ShownKey implements Handler {
  private final Fleet fleet;

  ShownKey(Fleet fleet) {
    this.fleet = fleet;
  }

  @Override
  public CompletableFuture<ApiAnswer> answer(ApiCall call, ApiSources sources, Executor blocking) {
    QuotaKey key = QuotaKey.parse(call.given(ApiRoutes.KEY));
    return CompletableFuture.supplyAsync(() -> sources.queries().keys().usage(key), blocking)
        .thenCompose(answer -> follow(answer, key, call, sources, blocking));
  }

  private CompletableFuture<ApiAnswer> follow(
      UsageAnswer answer, QuotaKey key, ApiCall call, ApiSources sources, Executor blocking) {
    if (answer instanceof UsageAnswer.Found found) {
      return CompletableFuture.completedFuture(ApiAnswer.of(json(found.usage())));
    }
    if (answer instanceof UsageAnswer.NotFound none) {
      throw new ApiProblem(Kind.NOT_FOUND, none.reason());
    }
    if (answer instanceof UsageAnswer.Invalid invalid) {
      throw new ApiProblem(Kind.INVALID, invalid.reason());
    }
    if (answer instanceof UsageAnswer.Elsewhere elsewhere && !call.isOnlyHere()) {
      return fleet
          .ask(
              elsewhere.enforcer(),
              call.headers().path(),
              call.headers().get(HttpHeaderNames.AUTHORIZATION))
          .thenApplyAsync(
              told -> told.answer().map(ShownKey::given).orElseGet(() -> copy(told, key, sources)),
              blocking);
    }
    String why =
        answer instanceof UsageAnswer.NotReady late
            ? late.reason()
            : "another enforcer counts this quota key: "
                + ((UsageAnswer.Elsewhere) answer).enforcer();
    return CompletableFuture.supplyAsync(
        () -> copy(key, sources).orElseThrow(() -> new ApiProblem(Kind.NOT_READY, why)), blocking);
  }

  private static ApiAnswer given(JsonNode answer) {
    return ApiAnswer.of((ObjectNode) answer);
  }

  private static ApiAnswer copy(Told told, QuotaKey key, ApiSources sources) {
    if (told.status() == HttpStatus.NOT_FOUND.code()) {
      throw new ApiProblem(Kind.NOT_FOUND, told.why());
    }
    return copy(key, sources)
        .orElseThrow(
            () ->
                new ApiProblem(
                    Kind.NOT_READY,
                    "%s counts this quota key, and there is no copy here: %s"
                        .formatted(told.enforcer(), told.why())));
  }

  private static Optional<ApiAnswer> copy(QuotaKey key, ApiSources sources) {
    return sources
        .queries()
        .keys()
        .copyOf(key)
        .map(
            copy -> {
              ObjectNode body = json(copy.usage());
              body.putObject("stale").put("recordsBehind", copy.recordsBehind());
              return ApiAnswer.of(body);
            });
  }

  private static ObjectNode json(QuotaUsageRecord usage) {
    ObjectNode body =
        JsonResponse.object()
            .put("quotaKey", usage.quotaKey())
            .put("limit", usage.limit())
            .put("available", usage.available())
            .put("outstanding", usage.outstanding());
    usage.penaltyUntil().ifPresent(until -> body.put("penaltyUntil", until.toString()));
    ArrayNode windows = body.putArray("windows");
    usage
        .windows()
        .forEach(
            window ->
                windows
                    .addObject()
                    .put("start", window.start().toString())
                    .put("used", window.used())
                    .put("throttled", window.throttled()));
    ArrayNode holders = body.putArray("holders");
    usage.held().forEach(held -> put(holders.addObject(), held));
    return body;
  }

  private static void put(ObjectNode row, Holding held) {
    row.put("instance", held.holder().text())
        .put("epoch", Long.toHexString(held.epoch()))
        .put("outstanding", held.outstanding())
        .put("share", held.share())
        .put("demandPerSecond", Rows.rounded(held.demandPerSecond()))
        .put("reportedAt", EpochNanos.instant(held.lastReportNanos()).toString());
  }
}
