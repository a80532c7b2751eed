package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClientPageTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final StandaloneAdmission admission =
      AdmissionClient.standalone(
          List.of(
              Rule.of(
                  RuleId.parse("models/tokens-per-tenant"),
                  List.of("tenant"),
                  new FixedWindow(1_000, Duration.ofHours(1).toNanos()))),
          clock.clocks());

  @Test
  void java_isThatOfTheSnippets() {
    Snippets.check(
        MarkdownFile.read("topology-docs/client.md"),
        "ClientSnippets.java",
        "waiting",
        "reserve",
        "outcome",
        "run",
        "passage",
        "load",
        "told",
        "handler",
        "standalone");
  }

  @Test
  void waiting_roomForBoth_isAdmittedTwice() throws InterruptedException {
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    snippets.waiting(admission, Request.of("tenant", "acme"));
    assertThat(snippets.done()).containsExactly(true, true);
  }

  @Test
  void passage_slotsThatComeBack_areHeldAgain() {
    Rule oneAtATime =
        Rule.of(
                RuleId.parse("models/runs-per-tenant"),
                List.of("tenant"),
                new ConcurrencyLimit(1, Duration.ofMinutes(1).toNanos()))
            .withEnforcement(Enforcement.STRICT);
    StandaloneAdmission slots = AdmissionClient.standalone(List.of(oneAtATime), clock.clocks());
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    snippets.passage(slots);
    snippets.passage(slots);
    assertThat(snippets.done()).containsExactly("runs", "runs");
  }

  @Test
  void reserve_costsMore_isThrottledUntilItIsPaid() {
    ClientSnippets snippets = new ClientSnippets(() -> 1_700);
    snippets.reserve(admission);
    snippets.reserve(admission);
    clock.advance(Duration.ofHours(1));
    snippets.reserve(admission);
    clock.advance(Duration.ofHours(1));
    snippets.reserve(admission);
    assertThat(snippets.done())
        .containsExactly("called", "throttled, owing 700", "throttled, owing 0", "called");
  }

  @Test
  void outcome_loginsThatSucceed_countNothing() {
    Rule failures =
        Rule.of(
                RuleId.parse("logins/failures"),
                List.of("account"),
                new FixedWindow(2, Duration.ofMinutes(10).toNanos()))
            .withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))));
    StandaloneAdmission logins = AdmissionClient.standalone(List.of(failures), clock.clocks());
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    for (int i = 0; i < 5; i++) {
      snippets.outcome(logins);
    }
    assertThat(snippets.done()).containsExactly("in", "in", "in", "in", "in");
  }

  @Test
  void run_admitted_givesTheResult() {
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    snippets.run(admission, Request.of("tenant", "acme"));
    assertThat(snippets.done()).containsExactly("sold");
  }

  @Test
  void reserve_callFails_isRefunded() {
    ClientSnippets snippets =
        new ClientSnippets(
            () -> {
              throw new IllegalStateException("the model is down");
            });
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> snippets.reserve(admission)).hasMessage("the model is down");
    }
    assertThat(snippets.done()).isEmpty();
  }

  @Test
  void answerToADeferredRequest_saysWhatTheUserIsTold() {
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    snippets.told(new Deferred.Accepted("7c1e", QuotaKey.parse("posts/per-user/42"), 3));
    snippets.told(
        new Deferred.Refused("9a02", "the queue is full", Optional.of(Duration.ofSeconds(20))));
    assertThat(snippets.done())
        .containsExactly("7c1e waits, one of 3", "the queue is full; try again in 20 s");
  }

  @Test
  void answersAndReplays_haveAllTheirPartsOnThePage() {
    MarkdownFile page = MarkdownFile.read("topology-docs/client.md");
    assertThat(page.spans()).containsAll(parts(Replay.class, "Replay#"));
    for (Class<?> answer : List.of(Deferred.Accepted.class, Deferred.Refused.class)) {
      String row = "| `Deferred." + answer.getSimpleName() + "` |";
      assertThat(page.text().lines().filter(line -> line.startsWith(row)))
          .singleElement()
          .satisfies(
              line -> assertThat(parts(answer, "")).allMatch(it -> line.contains("`" + it + "`")));
    }
  }

  private static List<String> parts(Class<?> type, String prefix) {
    return Stream.of(type.getRecordComponents()).map(part -> prefix + part.getName()).toList();
  }

  @Test
  void handler_findsWhatWasHandedOver() throws Exception {
    QuotaKey key = QuotaKey.parse("posts/per-user/42");
    Replay replay =
        new Replay(
            "7c1e",
            key,
            Request.of("user", "42"),
            Payload.of("hello".getBytes(StandardCharsets.UTF_8)),
            Map.of(),
            Priority.NORMAL,
            1,
            0,
            List.of(key),
            1,
            0,
            1,
            4);
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    assertThat(snippets.handler().handle(replay)).isEqualTo(ReplayOutcome.done());
    assertThat(snippets.done()).containsExactly("7c1e of 42: hello");
  }

  @Test
  void standalone_followsTheClock() {
    ClientSnippets snippets = new ClientSnippets(() -> 0);
    snippets.standalone();
    assertThat(snippets.done()).containsExactly(true, true, false, true);
  }
}
