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
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A limit of 1000 a second that one instance asks for most of and two for a little, 1.6 times as
 * much in all, while processes stall for a moment now and then. What shares hold goes on.
 */
class StallsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int WARM_UP = 10;
  private static final int SECONDS = 30;
  private static final long END = START + (WARM_UP + SECONDS) * SECOND;
  private static final long PERMITS = 1_000;
  private static final double[] ASKED_PER_SECOND = {1_280, 160, 160};
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final long SEED = 1;

  private static final class Run {
    private final Timeline time = new Timeline(START);
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<Stalls> ofInstances;
    private final SimulatedFleet fleet;
    private long admitted;

    Run(LimitKind kind, long ofEnforcer, long ofInstances) {
      this.ofInstances =
          IntStream.range(0, ASKED_PER_SECOND.length).mapToObj(i -> stalls(ofInstances)).toList();
      Rule rule =
          Rule.of(RULE, List.of("user"), kind.limit(PERMITS, SECOND))
              .withEnforcement(Enforcement.STRICT)
              .withVersion(1, 1);
      RuleSet rules = RuleSet.of(List.of(rule));
      fleet =
          new SimulatedFleet(
              rules,
              1,
              Ledgers.inMemory(),
              time,
              stalls(ofEnforcer),
              this.ofInstances,
              random.split());
      for (int i = 0; i < ASKED_PER_SECOND.length; i++) {
        next(i, START);
      }
    }

    private Stalls stalls(long longest) {
      return longest == 0
          ? Stalls.NONE
          : Stalls.random(START, END, SECOND, longest, random.split());
    }

    private void next(int instance, long after) {
      double gap = -Math.log(1 - random.nextDouble()) * SECOND / ASKED_PER_SECOND[instance];
      long at = after + (long) gap;
      time.at(at, () -> next(instance, at));
      time.at(ofInstances.get(instance).doneAt(at), () -> decide(instance));
    }

    private void decide(int instance) {
      boolean isAdmitted = fleet.decide(instance, Request.of("user", "u")).admitted();
      admitted += isAdmitted && time.now() >= START + WARM_UP * SECOND ? 1 : 0;
    }

    double admittedPart() {
      time.runUntil(END);
      return (double) admitted / (PERMITS * SECONDS);
    }
  }

  /** Shares followed the first report after a stall, and 70 % were admitted. */
  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void enforcerStalls_limitIsUsed(LimitKind kind) {
    // Warm-up buckets have no shares.
    double least = kind == LimitKind.WARM_UP_BUCKET ? 0.6 : 0.93;
    assertThat(new Run(kind, 3 * SECOND / 5, 0).admittedPart()).isGreaterThan(least);
  }

  /** A fifth less was admitted of what slides. */
  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void instancesStall_limitIsUsed(LimitKind kind) {
    assertThat(new Run(kind, 0, SECOND / 5).admittedPart()).isGreaterThan(0.87);
  }
}
