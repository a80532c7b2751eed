package io.quotaenforcer.lab.demo;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that receives far more mails at once than its rule allows, defers the throttled ones,
 * and sends them when they are released. One request in twenty has a deadline that most do not
 * meet.
 */
final class DeferralShow implements AutoCloseable {
  static final int SENDERS = 4;
  static final int MAILS_PER_SECOND = 20;

  /** Four senders with 20 mails a second each, released one after the other. */
  static final Rule RULE =
      Rule.of(
              new RuleId(DemoRules.DOMAIN, "mails-per-sender"),
              List.of("sender"),
              new TokenBucket(MAILS_PER_SECOND, 1_000_000_000L, MAILS_PER_SECOND))
          .withMatch(Map.of("api", new Matcher.Exact("POST /mails")))
          .withEnforcement(Enforcement.STRICT)
          .withOverLimit(
              new Defer(2_000, Release.STEADY, 100_000, 64L << 20, 100, OnDelete.RELEASE));

  /** Mails in the burst: the allowance of four seconds. */
  static final int MAILS = 4 * SENDERS * MAILS_PER_SECOND;

  private static final int DEADLINE_EVERY = 20;
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

  private final AdmissionClient client;
  private final ReplayRunner runner;
  private final DeadLetterTap deadLetters;
  private final AtomicInteger unanswered = new AtomicInteger();
  private final DeferralTally tally = new DeferralTally();

  DeferralShow(String bootstrapServers) {
    client =
        AdmissionClient.builder()
            .bootstrapServers(bootstrapServers)
            .domains(DemoRules.DOMAIN)
            .instance("mailer")
            .build();
    runner = client.replays(this::send, ReplayOptions.DEFAULTS);
    deadLetters = new DeadLetterTap(bootstrapServers);
  }

  boolean awaitRules(Duration timeout) throws InterruptedException {
    return client.awaitRules(timeout);
  }

  /** Asks for all mails at once. */
  void burst() {
    for (int i = 0; i < MAILS; i++) {
      Request request = Request.of("api", "POST /mails", "sender", "s" + i % SENDERS);
      if (!client.decide(request).admitted()) {
        defer(request, i);
      }
    }
  }

  private void defer(Request request, int order) {
    String id = "mail-" + order;
    Deferral deferral =
        Deferral.of(Integer.toString(order).getBytes(StandardCharsets.UTF_8))
            .withId(id)
            .withPriority(order % 3 == 0 ? Priority.HIGH : Priority.NORMAL);
    if (order % DEADLINE_EVERY == DEADLINE_EVERY - 1) {
      deferral = deferral.withDeadline(Instant.now().plus(DEADLINE));
    }
    unanswered.incrementAndGet();
    client
        .defer(request, deferral)
        .orTimeout(ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .thenAccept(
            answer -> {
              if (answer instanceof Deferred.Accepted) {
                tally.accepted(id, order);
              }
            })
        .whenComplete((done, failure) -> unanswered.decrementAndGet());
  }

  private ReplayOutcome send(Replay replay) {
    String order = new String(replay.payload().toByteArray(), StandardCharsets.UTF_8);
    tally.replayed(
        replay.id(), replay.quotaKey().toString(), replay.priority(), Integer.parseInt(order));
    return ReplayOutcome.done();
  }

  /** The figures so far. */
  DeferralFigures figures() {
    deadLetters.poll(tally::expired);
    return tally.figures();
  }

  /** Whether no request is waiting any more. */
  boolean isOver(DeferralFigures figures) {
    return unanswered.get() == 0 && figures.deferred() > 0 && figures.lost() == 0;
  }

  @Override
  public void close() {
    runner.close();
    client.close();
    deadLetters.close();
  }
}
