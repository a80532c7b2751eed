package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.backtest.EventBacktests;
import io.quotaenforcer.enforcer.backtest.EventsReport;
import io.quotaenforcer.enforcer.backtest.EventsReport.Seen;
import io.quotaenforcer.enforcer.backtest.EventsReport.Stop;
import io.quotaenforcer.schemas.setting.DurationText;
import io.quotaenforcer.server.JsonResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Runs the rules of a file on past requests, beside what happened to these. */
final class BacktestAnswers implements Handler {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration USUAL_SPAN = Duration.ofHours(1);
  private static final Duration LEAST_SPAN = Duration.ofMinutes(1);
  private static final Duration MOST_SPAN = Duration.ofDays(7);

  /** To connect, and to sum up. */
  private static final Duration MORE_TIME = Duration.ofSeconds(15);

  @Override
  public CompletableFuture<ApiAnswer> answer(ApiCall call, ApiSources sources, Executor blocking) {
    return CompletableFuture.supplyAsync(() -> begin(call, sources), blocking)
        .thenCompose(Function.identity())
        .thenApply(report -> ApiAnswer.of(body(report)));
  }

  private static CompletableFuture<EventsReport> begin(ApiCall call, ApiSources sources) {
    List<Rule> rules = RuleAnswers.valid(call.body()).rules();
    Duration span =
        call.parameters().get(BacktestRoute.SPAN, BacktestAnswers::span).orElse(USUAL_SPAN);
    RuleSet inForce = sources.rules().inForce().get();
    Instant now = Instant.ofEpochSecond(0, sources.epochNanos().getAsLong());
    EventBacktests.Question question =
        new EventBacktests.Question(
            rules,
            rules.stream()
                .map(Rule::id)
                .flatMap(id -> inForce.declared().stream().filter(it -> it.id().equals(id)))
                .toList(),
            now.minus(span),
            now);
    EventBacktests backtests = sources.rules().backtests();
    Duration most = backtests.bounds().time();
    call.waiting().extend(most.plus(MORE_TIME));
    CompletableFuture<EventsReport> begun =
        backtests
            .begin(question, audience(call))
            .orElseThrow(
                () ->
                    new ApiProblem(
                        Kind.TOO_MANY,
                        "this enforcer runs another back-test; ask again later, or ask another"
                            + " enforcer",
                        Math.toIntExact(Math.max(1, most.toSeconds()))));
    call.waiting().progress(progress(0, 0));
    return begun.exceptionallyCompose(BacktestAnswers::failed);
  }

  private static <T> CompletableFuture<T> failed(Throwable failure) {
    return failure instanceof IllegalArgumentException
        ? CompletableFuture.failedFuture(new CompletionException(failure))
        : CompletableFuture.failedFuture(
            new ApiProblem(
                Kind.NOT_READY, "the request events cannot be read: " + failure.getMessage()));
  }

  private static EventBacktests.Audience audience(ApiCall call) {
    return new EventBacktests.Audience() {
      @Override
      public boolean waits() {
        return call.waiting().goesOn();
      }

      @Override
      public void hears(long events, double share) {
        call.waiting().progress(progress(events, share));
      }
    };
  }

  private static ObjectNode progress(long events, double share) {
    return JsonResponse.object().put("events", events).put("share", Rows.rounded(share));
  }

  private static Duration span(String text) {
    Duration span = DurationText.parse(text);
    if (span.compareTo(LEAST_SPAN) < 0 || span.compareTo(MOST_SPAN) > 0) {
      throw new IllegalArgumentException(
          "must be from %s to %s: span=%s"
              .formatted(DurationText.format(LEAST_SPAN), DurationText.format(MOST_SPAN), text));
    }
    return span;
  }

  private static ObjectNode body(EventsReport report) {
    Seen seen = report.seen();
    ObjectNode body =
        JsonResponse.object()
            .put("from", seen.from().toString())
            .put("until", seen.until().toString())
            .put("share", Rows.rounded(seen.share()));
    if (seen.stop() != Stop.NONE) {
      body.put("stopped", seen.stop().name().toLowerCase(Locale.ROOT));
    }
    body.put("tookMillis", seen.took().toMillis());
    putHappened(body, report.happened()::all);
    body.setAll((ObjectNode) MAPPER.valueToTree(report.report()));
    for (JsonNode row : body.path("perRule")) {
      RuleId rule = RuleId.parse(row.path("rule").asText());
      putHappened((ObjectNode) row, outcome -> report.happened().of(rule, outcome));
    }
    return body;
  }

  private static void putHappened(ObjectNode to, ToLongFunction<Outcome> counts) {
    ObjectNode happened = to.putObject("happened");
    for (Outcome outcome : Outcome.values()) {
      happened.put(outcome.name().toLowerCase(Locale.ROOT), counts.applyAsLong(outcome));
    }
  }
}
