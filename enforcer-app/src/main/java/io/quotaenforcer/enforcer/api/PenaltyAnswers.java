package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.QueryParams;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.http.PenaltiesService;
import io.quotaenforcer.enforcer.query.PenaltiesQuery.Where;
import io.quotaenforcer.server.JsonResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Quota keys under a penalty, and its end.
 *
 * @param shown tells of one quota key
 */
record PenaltyAnswers(Handler shown) {
  static ObjectNode here(ApiCall call, ApiSources sources) {
    return PenaltiesService.json(
        sources
            .queries()
            .penalties()
            .list(
                new Where(call.parameters().get(ApiRoutes.RULE, RuleId::parse), Set.of()),
                call.parameters().get(ApiRoutes.AFTER, QuotaKey::parse),
                call.limit()));
  }

  static ObjectNode merge(ApiCall call, List<JsonNode> answers) {
    return Rows.page(answers, PenaltiesService.LIST, Rows.byText("quotaKey"), call.limit());
  }

  static String target(ApiCall call) {
    return key(call).toString();
  }

  private static QuotaKey key(ApiCall call) {
    return QuotaKey.parse(
        JsonBody.of(call, ApiRoutes.KEY).given(ApiRoutes.KEY, QuotaKey.MAX_TEXT_CHARS));
  }

  CompletableFuture<ApiAnswer> lift(
      ApiCall call, ApiSources sources, Executor blocking, AuditDraft draft) {
    QuotaKey key = key(call);
    check(key, sources);
    return CompletableFuture.supplyAsync(
            () ->
                OperatorChanges.asked(
                    () -> {
                      sources.operations().lift(key, draft.done("", Change.NONE));
                      return key;
                    }),
            blocking)
        .thenCompose(told -> Repeated.ask(() -> lifted(call, sources, blocking, key), blocking))
        .thenApply(
            outcome ->
                ApiAnswer.of(
                    JsonResponse.object()
                        .put("quotaKey", key.toString())
                        .put("outcome", outcome.orElse("asked for"))));
  }

  private static void check(QuotaKey key, ApiSources sources) {
    Optional<Rule> rule = sources.rules().inForce().get().rule(key.rule());
    if (rule.isEmpty()) {
      throw new ApiProblem(Kind.NOT_FOUND, "no such rule is in force: " + key.rule());
    }
    if (rule.get().penalty().isEmpty()) {
      throw new IllegalArgumentException(
          "must be of a rule with a penalty, so that a quota key can be under one: " + key.rule());
    }
  }

  private CompletableFuture<Optional<String>> lifted(
      ApiCall call, ApiSources sources, Executor blocking, QuotaKey key) {
    Map<String, String> question = Map.of(ApiRoutes.KEY, key.toString());
    String query = QueryParams.builder().add(question.entrySet()).build().toQueryString();
    return shown
        .answer(call.asking(ApiRoutes.SHOW.path() + "?" + query, question), sources, blocking)
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return answer.body().has("penaltyUntil")
                    ? Optional.empty()
                    : Optional.of("no penalty");
              }
              boolean isNone =
                  failure instanceof CompletionException
                      && failure.getCause() instanceof ApiProblem problem
                      && problem.kind() == Kind.NOT_FOUND;
              return isNone ? Optional.of("no penalty") : Optional.empty();
            });
  }
}
