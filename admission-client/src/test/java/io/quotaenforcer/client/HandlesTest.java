package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handles of a client that was not started: it decides by its own count. */
class HandlesTest {
  private static final long SECOND = 1_000_000_000L;

  /** Middle of a window. */
  private final AtomicLong now = new AtomicLong(1_700_000_000L * SECOND + SECOND / 2);

  private final List<String> failures = new ArrayList<>();

  private final AdmissionClient client =
      new AdmissionClient(
          AdmissionSettings.read(
              Map.of("bootstrap.servers", "127.0.0.1:9", "close.timeout", "0"),
              UnaryOperator.identity()),
          new Clocks(now::get, now::get),
          new ClientTelemetry() {
            @Override
            public void failed(String what, Exception cause) {
              failures.add(cause.getMessage());
            }
          });

  @AfterEach
  void close() {
    client.close();
  }

  private void inForce(Rule... rules) {
    client.book().applyRules(RuleSet.of(List.of(rules)), now.get());
  }

  private static Rule rule(String id, Limit limit, Enforcement enforcement) {
    return Rule.of(new RuleId("posts", id), List.of("user"), limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  @Test
  void handle_ofARuleThatHashes_isOfTheHash_chargesBothKeysOfARotation_andIsNotReadyWithout() {
    HashKey old = new HashKey("old", new byte[32]);
    HashKey newer = new HashKey("new", new byte[33]);
    Rule rule =
        rule("hashing", new FixedWindow(3, 10 * SECOND), Enforcement.BALANCED)
            .withKey(new RuleKey(List.of(KeyAttribute.hashed("user"))));
    inForce(rule);
    QuotaHandle handle = client.handle("posts/hashing", "42");
    assertThat(handle.decide(1)).isEqualTo(new Decision.NotReady(true));
    assertThat(handle.quotaKey()).isEmpty();

    client.book().hashBy(HashKeys.of(List.of(old)));
    assertThat(handle.quotaKey().orElseThrow().values()).containsExactly(old.text("42"));
    assertThat(taken(handle, 1)).isEqualTo(1);
    client.book().hashBy(HashKeys.of(List.of(old, newer)));
    assertThat(taken(handle, 5)).as("the older one has had one").isEqualTo(2);
    assertThat(handle.decideAsync(1, Duration.ZERO).join().admitted()).isFalse();
    client.book().hashBy(HashKeys.of(List.of(newer)));
    assertThat(taken(handle, 5)).as("the newer one has had two").isEqualTo(1);

    inForce(rule.withEnforcement(Enforcement.STRICT).withVersion(2, 1));
    client.book().hashBy(HashKeys.NONE);
    assertThat(handle.decide(1)).isEqualTo(new Decision.NotReady(false));
    assertThat(handle.decideAsync(1, Duration.ofSeconds(9)).join().admitted()).isFalse();
  }

  private static int taken(QuotaHandle handle, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += handle.tryAcquire() ? 1 : 0;
    }
    return taken;
  }

  @Test
  void handle_ofAPerInstanceRule_takesTheLimitInEachWindow() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.PER_INSTANCE));
    QuotaHandle handle = client.handle("posts/a", "42");

    for (int window = 0; window < 3; window++) {
      assertThat(taken(handle, 30)).as("window %d", window).isEqualTo(10);
      now.addAndGet(SECOND);
    }
  }

  @Test
  void handle_ofABalancedRule_takesTheLimitOnce_whileNobodyAnswers() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");

    assertThat(taken(handle, 30)).isEqualTo(10);
    now.addAndGet(SECOND);
    assertThat(taken(handle, 30)).as("other instances may have taken as many").isZero();
  }

  @Test
  void handle_ofAStrictRule_takesNothingThatIsNotGranted() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.STRICT));

    assertThat(taken(client.handle("posts/a", "42"), 30)).isZero();
  }

  @Test
  void handle_andRequestsOfItsKey_shareItsPermits() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");

    assertThat(handle.tryAcquire(7)).isTrue();
    assertThat(handle.tryAcquire(4)).as("all or none").isFalse();
    assertThat(client.decide(new Request(Map.of("user", "42"), 3)).admitted()).isTrue();
    assertThat(handle.tryAcquire()).isFalse();
    assertThat(client.handle("posts/a", "43").tryAcquire(10)).as("another key").isTrue();
  }

  @Test
  void handles_ofTheSameKey_areOne() {
    inForce(rule("a", new TokenBucket(10, SECOND, 10), Enforcement.BALANCED));
    QuotaHandle one = client.handle("posts/a", "42");
    QuotaHandle other = client.handle("posts/a", "42");

    assertThat(one.quotaKey()).isEqualTo(other.quotaKey()).hasToString("Optional[posts/a/42]");
    assertThat(taken(one, 6) + taken(other, 30)).isEqualTo(10);
    assertThat(client.keys()).isEqualTo(1);
  }

  @Test
  void handle_whoseRuleChanges_goesByTheNewOne() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");
    assertThat(taken(handle, 4)).isEqualTo(4);

    inForce(rule("a", new FixedWindow(6, SECOND), Enforcement.BALANCED).withVersion(2, 1));

    assertThat(taken(handle, 30)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void permits_fewerThanOne_areRefused(long permits) {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");

    assertThatIllegalArgumentException().isThrownBy(() -> handle.tryAcquire(permits));
    assertThat(taken(handle, 30)).as("nothing was taken").isEqualTo(10);
  }

  @Test
  void handle_ofARuleThatIsNot_orOfOtherValues_isRefused() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.handle("posts/b", "42"))
        .withMessage("must be a rule that is in force: rule=posts/b known=[posts/a]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.handle("posts/a"))
        .withMessage("must be the values of [user]: keyValues=[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.handle("posts/a", "42", "43"))
        .withMessage("must be the values of [user]: keyValues=[42, 43]");
    assertThatIllegalArgumentException().isThrownBy(() -> client.handle("posts"));
  }

  @Test
  void key_nobodyHasAnswered_isNotDegraded_andItsEnforcersTimeIsThisClocks() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaKey key = QuotaKey.parse("posts/a/42");
    client.decide(Request.of("user", "42"));

    assertThat(client.isDegraded(key)).isFalse();
    assertThat(client.enforcerNanos(key, now.get())).isEqualTo(now.get());
  }

  @Test
  void decide_saysWhyThereWasNoRoom_andWhenToTryAgain() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");

    assertThat(handle.decide(10).rules()).singleElement().matches(RuleDecision::hadRoom);
    Decision throttled = handle.decide();

    assertThat(throttled.admitted()).isFalse();
    assertThat(throttled.retryAfter()).hasValueSatisfying(time -> assertThat(time).isPositive());
    assertThat(throttled.rule().orElseThrow().reason()).isEqualTo(ThrottleReason.NOT_GRANTED_YET);
    assertThat(throttled.rule().orElseThrow().quotaKey()).hasToString("posts/a/42");
  }

  @Test
  void handle_beforeThereAreRules_admits_andThenGoesByItsRule() {
    QuotaHandle handle = client.handle("posts/a", "42");

    assertThat(handle.decide()).isEqualTo(new Decision.NotReady(true));
    assertThat(handle.tryAcquire()).isTrue();
    assertThat(handle.quotaKey()).isEmpty();

    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));

    assertThat(taken(handle, 30)).as("what was admitted before is not counted").isEqualTo(10);
  }

  @Test
  void handle_whoseRuleIsGone_isUnmatched_andOfUseAgainWhenItIsBack() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");
    assertThat(taken(handle, 30)).isEqualTo(10);

    inForce(rule("b", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    assertThat(handle.decide()).isEqualTo(new Decision.Unmatched());
    assertThatIllegalArgumentException().isThrownBy(() -> handle.tryAcquire(0));

    inForce(rule("a", new FixedWindow(12, SECOND), Enforcement.BALANCED).withVersion(3, 1));
    assertThat(handle.quotaKey()).contains(QuotaKey.parse("posts/a/42"));
    assertThat(handle.decide().rules()).hasSize(1);
  }

  @Test
  void handle_whoseRuleCountsByOtherAttributes_isNotReady_andTelemetryHearsOfIt() {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");

    inForce(
        Rule.of(new RuleId("posts", "a"), List.of("user", "api"), new FixedWindow(10, SECOND))
            .withVersion(2, 2));

    assertThat(handle.decide()).isEqualTo(new Decision.NotReady(true));
    assertThat(handle.tryAcquire()).isTrue();
    assertThat(failures)
        .containsExactly("a handle of posts/a must be the values of [user, api]: keyValues=[42]");
  }

  @Test
  void handle_ofAnExemptKey_isUnmatched() {
    Rule rule = rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED);
    inForce(
        rule.withOverrides(
            List.of(
                new RuleOverride(
                    Map.of("user", new Matcher.Exact("42")), new OverrideEffect.Exempt()))));

    assertThat(client.handle("posts/a", "42").decide()).isEqualTo(new Decision.Unmatched());
    assertThat(taken(client.handle("posts/a", "43"), 30)).isEqualTo(10);
  }

  @Test
  void closedClient_throttlesEverything_howeverItIsAsked() throws InterruptedException {
    inForce(rule("a", new FixedWindow(10, SECOND), Enforcement.BALANCED));
    QuotaHandle handle = client.handle("posts/a", "42");
    Request request = Request.of("user", "42");

    client.close();

    assertThat(handle.tryAcquire()).isFalse();
    assertThat(client.tryAcquire(request)).isFalse();
    assertThat(client.decide(request).admitted()).isFalse();
    assertThat(client.decide(request, Duration.ofDays(1)).admitted()).isFalse();
    assertThat(client.decideAsync(request, Duration.ofDays(1)))
        .isCompletedWithValueMatching(decision -> !decision.admitted());
    assertThat(client.reserve(request, 1))
        .isInstanceOfSatisfying(
            ReserveOutcome.NotReserved.class,
            not -> assertThat(not.decision()).isInstanceOf(Decision.Throttled.class));
  }
}
