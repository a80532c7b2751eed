package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.DeferralOutcome;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred requests and replays of clients that reach no Kafka. */
@Timeout(60)
class DeferralServiceTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Request REQUEST = Request.of("user", "42");

  private final Queue<DeferralOutcome> outcomes = new ConcurrentLinkedQueue<>();

  /** One that was not started, with a rule that defers. */
  private AdmissionClient client(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:9");
    all.putIfAbsent("close.timeout", "0");
    AdmissionClient client =
        new AdmissionClient(
            AdmissionSettings.read(all, UnaryOperator.identity()),
            Clocks.system(),
            new ClientTelemetry() {
              @Override
              public void deferred(DeferralOutcome outcome) {
                outcomes.add(outcome);
              }
            });
    Rule rule =
        Rule.of(new RuleId("posts", "a"), List.of("user"), new FixedWindow(1, 1_000_000_000L))
            .withOverLimit(OverLimit.Defer.DEFAULTS)
            .withVersion(1, 1);
    client.book().applyRules(RuleSet.of(List.of(rule)), System.nanoTime());
    return client;
  }

  private static Set<String> threads(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(part))
        .collect(Collectors.toSet());
  }

  @Test
  void close_requestThatWaitsToBeWritten_failsAndSaysThatNothingWasDeferred() {
    AdmissionClient client = client(Map.of());
    CompletableFuture<Deferred> deferred = client.defer(REQUEST, Deferral.PLAIN.withId("mail-1"));
    assertThat(deferred).isNotDone();

    client.close();

    assertThat(deferred)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(DeferralException.class)
        .withMessageContaining("nothing was deferred")
        .withMessageContaining("id=mail-1");
    assertThat(outcomes).containsExactly(DeferralOutcome.FAILED);
  }

  @Test
  void unanswered_asManyAsMayBe_refuseOneMore_byTheSetting() {
    try (AdmissionClient client = client(Map.of("defer.max.unanswered", 2))) {
      client.defer(REQUEST, Deferral.PLAIN);
      client.defer(REQUEST, Deferral.PLAIN);

      assertThat(client.defer(REQUEST, Deferral.PLAIN))
          .failsWithin(SOON)
          .withThrowableThat()
          .withMessageContaining("2 deferred requests wait")
          .withMessageContaining("defer.max.unanswered");
    }
  }

  @Test
  void closedClient_defersNothing() {
    AdmissionClient client = client(Map.of());
    client.close();

    assertThat(client.defer(REQUEST, Deferral.PLAIN))
        .failsWithin(SOON)
        .withThrowableThat()
        .withMessageContaining("nothing was deferred");
  }

  @Test
  void replays_haveAThreadForEachDomain_andOneForAGroupThatIsNamed() {
    try (AdmissionClient client =
        client(Map.of("domains", "posts,mails", "instance.id", "replaying-1"))) {
      ReplayRunner each = client.replays(replay -> ReplayOutcome.done(), ReplayOptions.DEFAULTS);
      await().atMost(SOON).until(() -> threads("quota-replays-replaying-1-").size() == 2);
      assertThat(threads("quota-replays-replaying-1-"))
          .containsExactlyInAnyOrder(
              "quota-replays-replaying-1-quota.replays-posts",
              "quota-replays-replaying-1-quota.replays-mails");
      each.close();
      await().atMost(SOON).until(() -> threads("quota-replays-replaying-1-").isEmpty());

      ReplayRunner one =
          client.replays(
              replay -> ReplayOutcome.done(), ReplayOptions.DEFAULTS.withGroup("mailer"));
      assertThat(threads("quota-replays-replaying-1-"))
          .containsExactly("quota-replays-replaying-1-mailer");
      assertThat(one.unfinished()).isZero();
    }
    await().atMost(SOON).until(() -> threads("quota-replays-replaying-1-").isEmpty());
  }
}
