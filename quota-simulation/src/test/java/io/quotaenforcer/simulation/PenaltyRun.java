package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static io.quotaenforcer.simulation.LoopSimulation.START;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A key that asks for more than its limit until it is under a penalty, and goes on asking. Messages
 * are late, lost, repeated and reordered; in two of three seeds an enforcer crashes, or hands over,
 * while the penalty lasts. Every penalty that was committed is kept from when all have heard of it
 * to its end; and after it the key is served again.
 */
final class PenaltyRun implements DrawnRun {
  private static final long SECOND = 1_000 * MILLI;
  private static final long END = 16 * SECOND;
  private static final long STEP = 50 * MILLI;
  private static final RuleId RULE = new RuleId("test", "rule");
  private static final QuotaKey KEY = QuotaKey.of(RULE, List.of("u"));

  /** Within this time every instance has an answer, lost ones and a crash included. */
  private static final long HEARD = 2_500 * MILLI;

  /** By how much enforcer time may be ahead. */
  private static final long AHEAD = SECOND;

  private final SplittableRandom random;
  private final long seed;
  private final PenaltyTerms terms;
  private final Limit limit;
  private final int instances;
  private final LoopSimulation simulation;
  private final List<Penalty> committed = new ArrayList<>();
  private String story = "";

  /** One as it was found: from when it was committed, in true time, to its end. */
  private record Penalty(long knownNanos, long untilNanos) {}

  PenaltyRun(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    instances = random.nextInt(2, 5);
    long permits = random.nextLong(20, 200);
    limit =
        switch (random.nextInt(3)) {
          case 0 -> new FixedWindow(permits, SECOND);
          case 1 -> new SlidingWindow(permits, SECOND);
          default -> new TokenBucket(permits, SECOND, permits);
        };
    long length = random.nextLong(6, 9) * SECOND;
    terms = new PenaltyTerms(random.nextInt(5, 50), 20 * SECOND, length, 1, length);
    Rule rule =
        Rule.of(RULE, List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withPenalty(terms)
            .withVersion(1, 1);
    Conditions conditions =
        new Conditions(
            new Network(20 * MILLI, 0.05, 0.05),
            BookSettings.defaults(),
            20 * MILLI,
            SECOND / 4,
            true);
    simulation =
        new LoopSimulation(
            rule,
            instances,
            random.nextBoolean() ? conditions.withShareTerm(30 * SECOND) : conditions,
            seed);
  }

  @Override
  public Verdict judge() {
    for (int i = 0; i < instances; i++) {
      simulation.load(i, "u", 3.0 * limit.permits() / instances, END);
    }
    long at = 4 * SECOND + random.nextLong(2 * SECOND);
    if (seed % 3 == 1) {
      simulation.crashEnforcer(at, 50 * MILLI + random.nextLong(SECOND / 4), 0, 0);
      story = ", crash at %d ms".formatted(at / MILLI);
    } else if (seed % 3 == 2) {
      simulation.handOver(at, 20 * MILLI, 50 * MILLI, 0);
      story = ", handed over at %d ms".formatted(at / MILLI);
    }
    for (long now = STEP; now <= END; now += STEP) {
      simulation.run(now);
      look(now);
    }
    return new Verdict(violation(), liveness());
  }

  private void look(long now) {
    PenaltyState penalty = simulation.penalty(KEY);
    long newest = committed.isEmpty() ? 0 : committed.get(committed.size() - 1).untilNanos();
    if (penalty.untilNanos() > newest) {
      committed.add(new Penalty(START + now, penalty.untilNanos()));
    }
  }

  private String violation() {
    for (Penalty penalty : committed) {
      long from = penalty.knownNanos() + HEARD;
      long to = penalty.untilNanos() - AHEAD;
      long admitted = admitted(from, to);
      if (admitted > 0) {
        return admitted + " admitted under a penalty";
      }
    }
    return "";
  }

  private String liveness() {
    if (committed.isEmpty()) {
      return "no penalty";
    }
    long end = committed.get(0).untilNanos() + AHEAD / 2;
    return end + 2 * SECOND < START + END && admitted(end - AHEAD / 2, end + 2 * SECOND) == 0
        ? "nothing admitted after the penalty"
        : "";
  }

  private long admitted(long from, long to) {
    return simulation.admissions.stream()
        .map(Admission::takenNanos)
        .filter(taken -> taken >= from && taken < to)
        .count();
  }

  @Override
  public LoopSimulation simulation() {
    return simulation;
  }

  @Override
  public String toString() {
    return "seed %d: %s, %s, %d instances%s".formatted(seed, limit, terms, instances, story);
  }
}
