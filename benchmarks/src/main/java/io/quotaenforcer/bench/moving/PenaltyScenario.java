package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.bench.moving.scenario.PenaltyLoad;
import io.quotaenforcer.bench.moving.scenario.PenaltyRow;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Guesses at a password through all instances, simulated. */
record PenaltyScenario(Enforcement enforcement, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int PARTITIONS = 8;
  private static final long GUESSES_FROM = START + SECOND;
  private static final long END = START + 12 * SECOND;
  private static final long LOGIN_EVERY = SECOND / 4;

  /** Of twenty logins of the bystander, the first fails. */
  private static final int MISTYPED = 20;

  private static final long NEVER = Long.MAX_VALUE;

  PenaltyRow run() {
    return new Run(seed).row();
  }

  private final class Run {
    private final Timeline time = new Timeline(START);
    private final SplittableRandom random;
    private final SimulatedFleet fleet;

    /** When the fifth failure was known at its instance. */
    private long fifthAt = NEVER;

    /** By instance: how long the first guess after that took until it was refused. */
    private final long[] refusedIn = new long[PenaltyLoad.INSTANCES];

    /** By instance: the first refusal under a penalty. */
    private final long[] penaltyAt = new long[PenaltyLoad.INSTANCES];

    private long guesses;
    private long passed;
    private long failures;
    private long logins;
    private long turnedAway;

    Run(long seed) {
      random = new SplittableRandom(seed);
      fleet =
          new SimulatedFleet(
              RuleSet.of(List.of(PenaltyLoad.rule(enforcement))),
              PenaltyLoad.INSTANCES,
              PARTITIONS,
              Ledgers.inMemory(),
              time,
              random.split());
      Arrays.fill(refusedIn, NEVER);
      Arrays.fill(penaltyAt, NEVER);
    }

    PenaltyRow row() {
      for (int i = 0; i < PenaltyLoad.INSTANCES; i++) {
        int instance = i;
        time.at(GUESSES_FROM, () -> guess(instance));
      }
      for (long at = START; at < END; at += LOGIN_EVERY) {
        time.at(at, this::login);
      }
      time.runUntil(END + PenaltyLoad.WAIT + PenaltyLoad.LOOK);
      long first = Arrays.stream(penaltyAt).min().orElseThrow();
      return new PenaltyRow(
          enforcement,
          guesses,
          passed,
          millis(Arrays.stream(refusedIn).max().orElseThrow(), 0),
          millis(Arrays.stream(penaltyAt).max().orElseThrow(), first),
          logins,
          turnedAway);
    }

    private void guess(int instance) {
      long askedAt = time.now();
      guesses++;
      fleet
          .reserve(instance, PenaltyLoad.login("ann"), PenaltyLoad.WAIT)
          .thenAccept(charge -> decided(instance, askedAt, charge));
    }

    private void decided(int instance, long askedAt, Charge charge) {
      if (charge.decision() instanceof Decision.Throttled throttled) {
        refused(instance, askedAt, throttled.reason());
        guessAgain(instance);
        return;
      }
      passed++;
      time.at(
          time.now() + PenaltyLoad.LOOK,
          () -> {
            settle(charge, "401");
            failures++;
            if (failures == PenaltyLoad.FAILURES) {
              fifthAt = time.now();
            }
            guessAgain(instance);
          });
    }

    private void refused(int instance, long askedAt, ThrottleReason reason) {
      if (askedAt >= fifthAt) {
        refusedIn[instance] = Math.min(refusedIn[instance], time.now() - askedAt);
      }
      if (reason == ThrottleReason.PENALTY) {
        penaltyAt[instance] = Math.min(penaltyAt[instance], time.now());
      }
    }

    private void guessAgain(int instance) {
      long at = time.now() + PenaltyLoad.PAUSE;
      if (at < END) {
        time.at(at, () -> guess(instance));
      }
    }

    private void login() {
      String status = logins++ % MISTYPED == 0 ? "401" : "200";
      fleet
          .reserve(
              random.nextInt(PenaltyLoad.INSTANCES), PenaltyLoad.login("bob"), PenaltyLoad.WAIT)
          .thenAccept(
              charge -> {
                if (charge.decision().admitted()) {
                  time.at(time.now() + PenaltyLoad.LOOK, () -> settle(charge, status));
                } else {
                  turnedAway++;
                }
              });
    }

    private void settle(Charge charge, String status) {
      charge.settle(new Ending.Told(1, Map.of("status", status)), time.now());
    }
  }

  /** Not finite if it never came to be. */
  private static double millis(long nanos, long since) {
    return nanos == NEVER ? Double.POSITIVE_INFINITY : (nanos - since) / 1e6;
  }
}
