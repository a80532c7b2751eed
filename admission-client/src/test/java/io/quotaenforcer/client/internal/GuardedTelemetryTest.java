package io.quotaenforcer.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.DeferralOutcome;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuardedTelemetryTest {
  private final List<Object> heard = new ArrayList<>();
  private boolean throwing;
  private final ClientTelemetry telemetry =
      new GuardedTelemetry(
          new ClientTelemetry() {
            @Override
            public void deferred(DeferralOutcome outcome) {
              hear(outcome);
            }

            @Override
            public void replayed(ReplayOutcome outcome, int attempts) {
              hear(outcome);
            }

            @Override
            public void matchGivenUp(RuleId rule, String attribute, long times) {
              hear(rule + " " + attribute + " " + times);
            }

            @Override
            public void limitInForce(RuleId rule, Optional<LimitInForce> now) {
              hear(rule + " " + now);
            }

            @Override
            public void unpaid(long permits) {
              hear(permits);
            }
          });

  @Test
  void delegate_hearsOfRequestsThatHaveEnded() {
    telemetry.deferred(DeferralOutcome.REFUSED);
    telemetry.replayed(ReplayOutcome.done(), 1);
    telemetry.unpaid(7);
    telemetry.matchGivenUp(new RuleId("posts", "reads"), "api", 3);
    telemetry.limitInForce(new RuleId("posts", "reads"), Optional.empty());

    assertThat(heard)
        .containsExactly(
            DeferralOutcome.REFUSED,
            ReplayOutcome.done(),
            7L,
            "posts/reads api 3",
            "posts/reads Optional.empty");
  }

  @Test
  void delegate_thatThrows_breaksNothing() {
    throwing = true;
    telemetry.deferred(DeferralOutcome.FAILED);
    telemetry.replayed(ReplayOutcome.done(), 1);

    assertThat(heard).hasSize(2);
  }

  @Test
  void delegate_thatIsOfAnotherVersion_breaksNothing() {
    ClientTelemetry outdated =
        new GuardedTelemetry(
            new ClientTelemetry() {
              @Override
              public void unpaid(long permits) {
                throw new NoSuchMethodError("counter");
              }
            });

    assertThatCode(() -> outdated.unpaid(7)).doesNotThrowAnyException();
  }

  private void hear(Object what) {
    heard.add(what);
    if (throwing) {
      throw new IllegalStateException("broken");
    }
  }
}
