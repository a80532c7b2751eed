package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.QueryParams;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.Purge;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.operations.LettersEnd;
import io.quotaenforcer.enforcer.operations.OperationException;
import io.quotaenforcer.enforcer.operations.RequestChange;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.server.JsonResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Changes of what waits in queues of deferred requests: looked up at the enforcer that has the
 * queue, told to the queue, and looked up again until the change shows.
 *
 * @param shown tells of one request
 * @param queues tells how many wait
 */
record QueueChanges(Handler shown, Handler queues) {
  private static final int MOST_REASON_CHARS = 500;
  private static final String BY_HAND = "by hand";

  /** The target of a change of one request. */
  static String request(ApiCall call) {
    JsonBody body = ofRequest(call);
    return key(body) + " " + id(body);
  }

  private static JsonBody ofRequest(ApiCall call) {
    return JsonBody.of(call, ChangeRoutes.ID, ApiRoutes.KEY, ChangeRoutes.REASON);
  }

  private static String id(JsonBody body) {
    return body.given(ChangeRoutes.ID, DeferralInput.MAX_ID_CHARS);
  }

  private static QuotaKey key(JsonBody body) {
    return QuotaKey.parse(body.given(ApiRoutes.KEY, QuotaKey.MAX_TEXT_CHARS));
  }

  /** The target of a purge. */
  static DeferredScope scope(ApiCall call) {
    JsonBody body = JsonBody.of(call, ApiRoutes.RULE, ApiRoutes.KEY, ChangeRoutes.REASON);
    Optional<String> rule = body.text(ApiRoutes.RULE, QuotaKey.MAX_TEXT_CHARS);
    Optional<String> key = body.text(ApiRoutes.KEY, QuotaKey.MAX_TEXT_CHARS);
    if (rule.isPresent() == key.isPresent()) {
      throw new IllegalArgumentException("must be given one of: rule, key");
    }
    return rule.map(text -> DeferredScope.of(RuleId.parse(text)))
        .or(() -> key.map(text -> DeferredScope.of(QuotaKey.parse(text))))
        .orElseThrow();
  }

  private static String reason(JsonBody body) {
    return body.text(ChangeRoutes.REASON, MOST_REASON_CHARS).orElse(BY_HAND);
  }

  /**
   * Changes one request.
   *
   * @param changing the change, for a reason
   */
  Audited.Change one(Function<String, RequestChange> changing) {
    return (call, sources, blocking, draft) -> {
      JsonBody body = ofRequest(call);
      String id = id(body);
      QuotaKey key = key(body);
      String reason = reason(body);
      RequestChange change = changing.apply(reason);
      return find(call, sources, blocking, id, key)
          .thenApplyAsync(
              found -> {
                check(found);
                return OperatorChanges.asked(
                    () ->
                        sources
                            .operations()
                            .tell(
                                DeferredScope.of(key),
                                change.input().apply(id, key),
                                draft.done(reason, Change.NONE)));
              },
              blocking)
          .thenCompose(
              end ->
                  Repeated.ask(
                          () -> find(call, sources, blocking, id, key).thenApply(change::outcome),
                          blocking)
                      .thenApplyAsync(
                          outcome ->
                              outcome
                                  .filter(change::isOpen)
                                  .filter(open -> isShown(sources, end, change, id, key))
                                  .map(open -> change.done())
                                  .or(() -> outcome),
                          blocking))
          .thenApply(
              outcome ->
                  ApiAnswer.of(
                      JsonResponse.object()
                          .put("id", id)
                          .put("quotaKey", key.toString())
                          .put("outcome", outcome.orElse(RequestChange.ASKED))));
    };
  }

  /** Whether a dead letter shows it; not known where they cannot be read now. */
  private static boolean isShown(
      ApiSources sources, LettersEnd end, RequestChange change, String id, QuotaKey key) {
    try {
      return sources.operations().isPutAside(end, letter -> change.isShownBy(letter, id, key));
    } catch (OperationException e) {
      return false;
    }
  }

  private static void check(Optional<JsonNode> found) {
    if (found.isEmpty()) {
      throw new ApiProblem(Kind.NOT_FOUND, RequestChange.NOT_THERE);
    }
    if (!RequestChange.waits(found.get())) {
      throw new ApiProblem(Kind.NOT_DONE, RequestChange.RELEASED);
    }
  }

  private CompletableFuture<Optional<JsonNode>> find(
      ApiCall call, ApiSources sources, Executor blocking, String id, QuotaKey key) {
    Map<String, String> question = Map.of(ChangeRoutes.ID, id, ApiRoutes.KEY, key.toString());
    return shown
        .answer(asking(call, ChangeRoutes.DEFERRED_SHOWN, question), sources, blocking)
        .thenApply(
            answer -> {
              JsonNode requests = answer.body().path("requests");
              checkWhole(requests.isEmpty(), answer);
              return requests.isEmpty() ? Optional.empty() : Optional.of(requests.get(0));
            });
  }

  CompletableFuture<ApiAnswer> purge(
      ApiCall call, ApiSources sources, Executor blocking, AuditDraft draft) {
    DeferredScope scope = scope(call);
    String reason = reason(JsonBody.of(call, ApiRoutes.RULE, ApiRoutes.KEY, ChangeRoutes.REASON));
    return waiting(call, sources, blocking, scope)
        .thenApplyAsync(
            waiting -> {
              if (waiting == 0) {
                throw new ApiProblem(Kind.NOT_FOUND, "no request waits: " + scope.text());
              }
              return OperatorChanges.asked(
                  () -> {
                    sources
                        .operations()
                        .tell(
                            scope,
                            new Purge(scope.text(), reason),
                            draft.done(reason, Change.counting(waiting)));
                    return waiting;
                  });
            },
            blocking)
        .thenCompose(
            before ->
                Repeated.ask(
                        () ->
                            waiting(call, sources, blocking, scope)
                                .thenApply(left -> Optional.of(left).filter(it -> it == 0)),
                        blocking)
                    .thenCompose(none -> left(none, call, sources, blocking, scope))
                    .thenApply(left -> purged(scope, before, left)));
  }

  /** How many wait after a while; empty if that is not known. */
  private CompletableFuture<Optional<Long>> left(
      Optional<Long> none,
      ApiCall call,
      ApiSources sources,
      Executor blocking,
      DeferredScope scope) {
    return none.isPresent()
        ? CompletableFuture.completedFuture(none)
        : waiting(call, sources, blocking, scope)
            .handle((left, failure) -> failure == null ? Optional.of(left) : Optional.empty());
  }

  private static ApiAnswer purged(DeferredScope scope, long before, Optional<Long> left) {
    ObjectNode body = JsonResponse.object().put("scope", scope.text()).put("requests", before);
    left.ifPresent(waiting -> body.put("left", waiting));
    return ApiAnswer.of(body);
  }

  private CompletableFuture<Long> waiting(
      ApiCall call, ApiSources sources, Executor blocking, DeferredScope scope) {
    Map<String, String> question =
        Map.of(scope.isKey() ? ApiRoutes.KEY : ApiRoutes.RULE, scope.text());
    return queues
        .answer(asking(call, ApiRoutes.DEFERRED, question), sources, blocking)
        .thenApply(
            answer -> {
              checkWhole(true, answer);
              long waiting = 0;
              for (JsonNode queue : answer.body().path("queues")) {
                waiting += queue.path("waiting").asLong();
              }
              return waiting;
            });
  }

  /** The same caller with a question of another route. */
  private static ApiCall asking(ApiCall call, ApiRoute route, Map<String, String> question) {
    QueryParams query = QueryParams.builder().add(question.entrySet()).build();
    return call.asking(route.path() + "?" + query.toQueryString(), question);
  }

  private static void checkWhole(boolean isNeeded, ApiAnswer answer) {
    JsonNode missing = answer.body().path("missing");
    if (isNeeded && !missing.isEmpty()) {
      throw new ApiProblem(
          Kind.NOT_READY,
          "the enforcer that has the queue may be %s: %s"
              .formatted(
                  missing.get(0).path("enforcer").asText(), missing.get(0).path("why").asText()));
    }
  }
}
