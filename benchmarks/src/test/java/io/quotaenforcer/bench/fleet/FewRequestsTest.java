package io.quotaenforcer.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.Timeline;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few requests a second of each user, spread over eight instances, none of which waits. */
class FewRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final long PERIOD = 10 * SECOND;
  private static final int PERIODS = 6;
  private static final int INSTANCES = 8;
  private static final int USERS = 5;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final long SEED = 7;

  private record Load(LimitKind kind, long permits, double timesLimit) {
    /** The part of what the limit allows, or of what was asked for where that is less. */
    double admittedPart() {
      Timeline time = new Timeline(START);
      SplittableRandom random = new SplittableRandom(SEED);
      Rule rule =
          Rule.of(RULE, List.of("user"), kind.limit(permits, PERIOD))
              .withEnforcement(Enforcement.STRICT)
              .withVersion(1, 1);
      SimulatedFleet fleet =
          new SimulatedFleet(
              RuleSet.of(List.of(rule)), INSTANCES, 4, Ledgers.inMemory(), time, random.split());
      long[] askedAndAdmitted = new long[2];
      for (int user = 0; user < USERS; user++) {
        next(Request.of("user", "u-" + user), START, fleet, time, random, askedAndAdmitted);
      }
      time.runUntil(START + (2 + PERIODS) * PERIOD);
      double allowed = (double) PERIODS * USERS * permits;
      return askedAndAdmitted[1] / Math.min(allowed, askedAndAdmitted[0]);
    }

    private void next(
        Request request,
        long after,
        SimulatedFleet fleet,
        Timeline time,
        SplittableRandom random,
        long[] askedAndAdmitted) {
      double gap = -Math.log(1 - random.nextDouble()) * PERIOD / permits / timesLimit;
      long at = after + (long) gap;
      time.at(
          at,
          () -> {
            boolean admitted = fleet.decide(random.nextInt(INSTANCES), request).admitted();
            boolean counts = at >= START + 2 * PERIOD;
            askedAndAdmitted[0] += counts ? 1 : 0;
            askedAndAdmitted[1] += counts && admitted ? 1 : 0;
            next(request, at, fleet, time, random, askedAndAdmitted);
          });
    }
  }

  /** Shares that followed chance left half of these limits unused. */
  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void smallLimit_askedForMoreThanItAllows_isUsed(LimitKind kind) {
    assertThat(new Load(kind, 100, 3).admittedPart()).isGreaterThan(0.95);
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void limitOfSharesOfFewRequests_isUsed(LimitKind kind) {
    assertThat(new Load(kind, 1_600, 1.1).admittedPart()).isGreaterThan(0.92);
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void userBelowTheLimit_isServed(LimitKind kind) {
    assertThat(new Load(kind, 400, 0.8).admittedPart()).isGreaterThan(0.98);
  }
}
