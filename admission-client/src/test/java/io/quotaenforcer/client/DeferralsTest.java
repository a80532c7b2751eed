package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.client.internal.kafka.DeferralWriter.Written;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.DeferralOutcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeferralsTest {
  private static final int PARTITIONS = 4;
  private static final long SECOND = 1_000_000_000L;
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;
  private static final Rule PLAIN = rule("a-throttles", OverLimit.THROTTLE);
  private static final Rule SHADOW = shadow(rule("b-shadow", OverLimit.Defer.DEFAULTS));
  private static final Rule FIRST = rule("c-defers", OverLimit.Defer.DEFAULTS);
  private static final Rule SECOND_RULE = rule("d-defers", OverLimit.Defer.DEFAULTS);
  private static final Request REQUEST = Request.of("user", "42");
  private static final QuotaKey KEY = FIRST.quotaKey(REQUEST).orElseThrow();
  private static final ReplyTo REPLY_TO = new ReplyTo("i", 7, 3);

  private final List<DeferralWriter.Item> outbox = new ArrayList<>();
  private final List<DeferralOutcome> heard = new ArrayList<>();
  private RuleSet rules = RuleSet.of(List.of(PLAIN, SHADOW, FIRST, SECOND_RULE));
  private HashKeys keys = HashKeys.NONE;
  private boolean hasRoom = true;
  private long now = 5;
  private final Deferrals deferrals =
      new Deferrals(
          new Instance(
              new Identity("i", 7),
              new Clocks(() -> now, () -> EPOCH_MILLIS * 1_000_000L + now),
              new ClientTelemetry() {
                @Override
                public void deferred(DeferralOutcome outcome) {
                  heard.add(outcome);
                }
              }),
          new Deferrals.Rules(
              () -> rules, () -> keys, request -> keys.leaving(request, rules.hashed())),
          item -> hasRoom && outbox.add(item),
          new Deferrals.Limits(Duration.ofSeconds(30), 3),
          Runnable::run);

  @Test
  void request_ruleHashesTheValue_leavesHashed_andIsRefusedWithoutAKey_unquoted() {
    Rule hashing = FIRST.withKey(new RuleKey(List.of(KeyAttribute.hashed("user"))));
    rules = RuleSet.of(List.of(hashing));

    assertThatThrownBy(() -> deferrals.defer(REQUEST, Deferral.of(new byte[0])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "attributes=[user]; %s hashes user, and there are no hash.keys".formatted(FIRST.id()));
    HashKey key = new HashKey("k", new byte[32]);
    keys = HashKeys.of(List.of(key));
    deferrals.defer(REQUEST, Deferral.of(new byte[0]));

    DeferredRequest written = (DeferredRequest) outbox.get(0).input(4).orElseThrow();
    assertThat(written.quotaKey().values()).containsExactly(key.text("42"));
    assertThat(written.request().attributes()).isEqualTo(Map.of("user", key.text("42")));
    assertThat(written.request().isReceived()).isTrue();
  }

  @Test
  void request_isWrittenWithAllThatWasHandedOver_forTheFirstEnforcedRuleThatDefers() {
    Deferral deferral =
        Deferral.of(new byte[] {1})
            .withId("x")
            .withHeaders(Map.of("h", "v"))
            .withDeadline(Instant.ofEpochMilli(EPOCH_MILLIS + 9));

    deferrals.defer(REQUEST, deferral);

    assertThat(outbox.get(0).quotaKey()).isEqualTo(KEY);
    assertThat(outbox.get(0).bytes()).isEqualTo(1);
    assertThat(outbox.get(0).input(PARTITIONS))
        .contains(
            new DeferredRequest(
                "x",
                KEY,
                REQUEST,
                deferral.payload(),
                Map.of("h", "v"),
                deferral.priority(),
                EPOCH_MILLIS + 9,
                EPOCH_MILLIS,
                REPLY_TO));
  }

  @Test
  void request_thatNoRuleDefers_isRefusedAtOnce() {
    rules = RuleSet.of(List.of(PLAIN, SHADOW));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> deferrals.defer(REQUEST, Deferral.PLAIN))
        .withMessage("must match a rule in force with over-limit: defer: attributes=[user]");
    assertThat(outbox).isEmpty();
  }

  @Test
  void request_ofADeniedKey_isRefusedAtOnce() {
    rules =
        RuleSet.of(
            List.of(FIRST.withOverrides(List.of(RuleOverride.denied(Map.of("user", "42"))))));

    assertThatIllegalArgumentException().isThrownBy(() -> deferrals.defer(REQUEST, Deferral.PLAIN));
    assertThat(outbox).isEmpty();
  }

  @Test
  void id_thatWaitsAlready_isRefusedAtOnce() {
    deferrals.defer(REQUEST, Deferral.PLAIN.withId("x"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> deferrals.defer(REQUEST, Deferral.PLAIN.withId("x")))
        .withMessage("must not be waiting for its answer already: id=x");
  }

  @Test
  void answer_accepted_completesWithTheDepthOfTheQueue() {
    CompletableFuture<Deferred> deferred = written("x");

    deferrals.answered(answer("x", Verdict.ACCEPTED, "", 0, 12));

    assertThat(deferred).isCompletedWithValue(new Deferred.Accepted("x", KEY, 12));
    assertThat(heard).containsExactly(DeferralOutcome.ACCEPTED);
  }

  @Test
  void answer_refused_completesWithReasonAndRetryAfter() {
    CompletableFuture<Deferred> deferred = written("x");

    deferrals.answered(answer("x", Verdict.REFUSED, "queue full", 250, 9));

    assertThat(deferred)
        .isCompletedWithValue(
            new Deferred.Refused("x", "queue full", Optional.of(Duration.ofMillis(250))));
    assertThat(heard).containsExactly(DeferralOutcome.REFUSED);
  }

  @Test
  void answer_comesTwiceOrForAnother_isTakenOnce() {
    CompletableFuture<Deferred> deferred = written("x");
    deferrals.answered(answer("other", Verdict.REFUSED, "", 0, 0));
    deferrals.answered(answer("x", Verdict.ACCEPTED, "", 0, 1));
    deferrals.answered(answer("x", Verdict.REFUSED, "", 0, 0));

    assertThat(deferred).isCompletedWithValue(new Deferred.Accepted("x", KEY, 1));
    assertThat(heard).hasSize(1);
  }

  @Test
  void answer_unknown_waitsOnAndAsksAgain() {
    CompletableFuture<Deferred> deferred = written("x");

    deferrals.answered(answer("x", Verdict.UNKNOWN, "", 0, 0));
    passes(SECOND);

    assertThat(deferred).isNotDone();
    assertThat(lastInput()).contains(new Inquiry("x", KEY, EPOCH_MILLIS, REPLY_TO));
  }

  @Test
  void inquiry_isSentEachSecondOnceTheRequestIsDurable_andOneAtATime() {
    deferrals.defer(REQUEST, Deferral.PLAIN.withId("x"));
    outbox.get(0).input(PARTITIONS);
    passes(SECOND);
    assertThat(outbox).hasSize(1);

    outbox.get(0).outcome(Written.YES, null);
    passes(SECOND - 1);
    assertThat(outbox).hasSize(1);
    passes(1);
    assertThat(outbox).hasSize(2);
    passes(SECOND);
    assertThat(outbox).hasSize(2);
    outbox.get(1).outcome(Written.YES, null);
    passes(SECOND);
    assertThat(outbox).hasSize(3);
  }

  @Test
  void answer_aboutARelease_isNoneToTheRequest() {
    CompletableFuture<Deferred> deferred = written("x");
    deferrals.answered(
        new DeferralAnswer("i", 7, "x", KEY.toString(), Verdict.ACCEPTED, "", 0, 0, 4));

    assertThat(deferred).isNotDone();
  }

  @Test
  void inquiry_thatCannotBeWritten_isRepeated() {
    written("x");
    passes(SECOND);
    outbox.get(1).outcome(Written.UNKNOWN, new IllegalStateException("away"));
    passes(SECOND);

    assertThat(outbox).hasSize(3);
  }

  @Test
  void timeout_ofADurableRequest_saysThatItWillRun() {
    CompletableFuture<Deferred> deferred = written("x");

    passes(30 * SECOND - 1);
    assertThat(deferred).isNotDone();
    passes(1);

    assertThat(deferred)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeferralTimeoutException.class)
        .withMessageContaining("did not answer within 30000 ms: id=x")
        .withMessageContaining("durable");
    assertThat(heard).containsExactly(DeferralOutcome.UNANSWERED);
  }

  @Test
  void timeout_beforeItCouldBeWritten_withdrawsTheRequest() {
    CompletableFuture<Deferred> deferred = deferrals.defer(REQUEST, Deferral.PLAIN.withId("x"));

    passes(30 * SECOND);

    assertFailed(deferred, "nothing was deferred: it could not be written within 30000 ms: id=x");
    assertThat(outbox.get(0).input(PARTITIONS)).isEmpty();
  }

  @Test
  void timeout_withoutAcknowledgement_saysThatItIsNotKnown() {
    CompletableFuture<Deferred> deferred = deferrals.defer(REQUEST, Deferral.PLAIN.withId("x"));
    outbox.get(0).input(PARTITIONS);

    passes(30 * SECOND);

    assertFailed(deferred, "it is not known whether it was deferred");
  }

  @Test
  void write_thatFails_failsTheFutureAndSaysWhatIsKnown() {
    CompletableFuture<Deferred> not = deferrals.defer(REQUEST, Deferral.PLAIN.withId("x"));
    CompletableFuture<Deferred> unknown = deferrals.defer(REQUEST, Deferral.PLAIN.withId("y"));

    outbox.get(0).outcome(Written.NO, new IllegalStateException("too large"));
    outbox.get(1).outcome(Written.UNKNOWN, new IllegalStateException("timed out"));

    assertFailed(not, "nothing was deferred: it could not be written: id=x");
    assertFailed(unknown, "it is not known whether it was deferred: id=y");
    assertThat(heard).containsExactly(DeferralOutcome.FAILED, DeferralOutcome.FAILED);
  }

  @Test
  void unanswered_asManyAsMayBe_failsOneMoreAtOnceUntilOneIsAnswered() {
    written("a");
    written("b");
    written("c");

    assertFailed(
        deferrals.defer(REQUEST, Deferral.PLAIN.withId("d")),
        "3 deferred requests wait for the enforcer's answer (defer.max.unanswered)");
    deferrals.answered(answer("b", Verdict.ACCEPTED, "", 0, 1));
    assertThat(written("e")).isNotDone();
  }

  @Test
  void outbox_withoutRoom_failsAtOnceAndForgetsTheId() {
    hasRoom = false;
    assertFailed(deferrals.defer(REQUEST, Deferral.PLAIN.withId("x")), "bytes wait to be written");
    hasRoom = true;

    assertThat(written("x")).isNotDone();
  }

  @Test
  void close_endsEveryWait() {
    CompletableFuture<Deferred> durable = written("x");
    CompletableFuture<Deferred> waiting = deferrals.defer(REQUEST, Deferral.PLAIN.withId("y"));

    deferrals.close();

    assertFailed(durable, "did not answer before the client was closed: id=x");
    assertFailed(waiting, "nothing was deferred");
  }

  @Test
  void ids_notGiven_areDifferent() {
    deferrals.defer(REQUEST, Deferral.PLAIN);
    deferrals.defer(REQUEST, Deferral.PLAIN);

    assertThat(outbox.stream().map(item -> ((DeferredRequest) input(item)).id()).distinct())
        .hasSize(2);
  }

  @Test
  void cancel_isDoneOnceItIsDurable() {
    CompletableFuture<Void> cancelled = deferrals.cancel("x", KEY);
    assertThat(cancelled).isNotDone();

    assertThat(lastInput()).contains(new Cancel("x", KEY, "cancelled"));
    outbox.get(0).outcome(Written.YES, null);

    assertThat(cancelled).isCompleted();
  }

  private CompletableFuture<Deferred> written(String id) {
    CompletableFuture<Deferred> deferred = deferrals.defer(REQUEST, Deferral.PLAIN.withId(id));
    DeferralWriter.Item item = outbox.get(outbox.size() - 1);
    assertThat(item.input(PARTITIONS)).isPresent();
    item.outcome(Written.YES, null);
    return deferred;
  }

  private void passes(long nanos) {
    now += nanos;
    deferrals.tick(now);
  }

  private Optional<DeferralInput> lastInput() {
    return outbox.get(outbox.size() - 1).input(PARTITIONS);
  }

  private static DeferralInput input(DeferralWriter.Item item) {
    return item.input(PARTITIONS).orElseThrow();
  }

  private static DeferralAnswer answer(
      String id, Verdict verdict, String reason, long retryAfterMillis, long waiting) {
    return new DeferralAnswer("i", 7, id, "", verdict, reason, retryAfterMillis, waiting);
  }

  private static void assertFailed(CompletableFuture<Deferred> deferred, String message) {
    assertThat(deferred)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(DeferralException.class)
        .withMessageContaining(message);
  }

  private static Rule rule(String id, OverLimit overLimit) {
    return Rule.of(new RuleId("posts", id), List.of("user"), new FixedWindow(10, SECOND))
        .withOverLimit(overLimit);
  }

  private static Rule shadow(Rule rule) {
    return rule.withMode(Mode.SHADOW);
  }
}
