package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * A strict elastic rule and its strict pool, drawn from a seed: some users ask for half of their
 * limit, and others for three times as much and borrow. In every other seed instances and the
 * enforcer crash, pause and are cut off, and messages are lost, repeated and reordered; in the
 * others all is calm, and whoever is within the limit has to be served.
 */
final class ElasticRun implements DrawnRun {
  private static final long SECOND = 1_000 * MILLI;
  private static final long BEGIN = 4 * SECOND;
  private static final long END = 12 * SECOND;
  private static final int WITHIN = 3;
  private static final int BEYOND = 2;
  private static final double ASKED_WITHIN = 0.5;
  private static final double ASKED_BEYOND = 3;

  private static final RuleId USERS = new RuleId("test", "users");
  private static final RuleId POOL = new RuleId("test", "pool");

  private static final List<DrawnTrouble.Kind> TROUBLES =
      List.of(
          DrawnTrouble.Kind.RESTART,
          DrawnTrouble.Kind.PAUSE,
          DrawnTrouble.Kind.CUT,
          DrawnTrouble.Kind.ENFORCER_CRASH,
          DrawnTrouble.Kind.HAND_OVER);

  /** In the calm, of those within the limit. */
  private static final double LEAST_SERVED = 0.9;

  /** In the calm, of what the pool has, or of what all may have. */
  private static final double LEAST_USED = 0.75;

  private final SplittableRandom random;
  private final boolean isCalm;
  private final int instances;
  private final Limit nominal;
  private final Limit pool;
  private final Limit borrowed;
  private final LoopSimulation simulation;
  private final StringBuilder story = new StringBuilder();

  ElasticRun(long seed) {
    random = new SplittableRandom(seed);
    isCalm = seed % 2 == 0;
    instances = random.nextInt(2, 5);
    int kind = random.nextInt(3);
    long period = (1 + random.nextInt(2)) * SECOND;
    long permits = random.nextLong(100, 400);
    int upTo = random.nextInt(13, 31) * 1_000;
    double within = permits * (WITHIN * ASKED_WITHIN + BEYOND);
    double beyond = permits * BEYOND * (upTo - 10_000) / 10_000.0;
    nominal = limit(kind, permits, period);
    borrowed = limit(kind, permits * (upTo - 10_000) / 10_000, period);
    pool = limit(kind, (long) (1.1 * within + random.nextDouble(1.2) * beyond), period);
    Rule users =
        Rule.of(USERS, List.of("user"), nominal)
            .withEnforcement(Enforcement.STRICT)
            .withElastic(new Elastic(POOL.id(), upTo))
            .withVersion(1, 1);
    Rule all = Rule.of(POOL, List.of(), pool).withEnforcement(Enforcement.STRICT).withVersion(1, 1);
    Network network = isCalm ? new Network(10 * MILLI, 0, 0) : new Network(20 * MILLI, 0.05, 0.05);
    Conditions conditions =
        new Conditions(
            network, BookSettings.defaults(), 20 * MILLI, isCalm ? 0 : SECOND / 4, isCalm);
    simulation =
        new LoopSimulation(
            users,
            List.of(all),
            instances,
            random.nextBoolean() ? conditions.withShareTerm(3 * SECOND) : conditions,
            seed);
  }

  private static Limit limit(int kind, long permits, long period) {
    return switch (kind) {
      case 0 -> new FixedWindow(permits, period);
      case 1 -> new SlidingWindow(permits, period);
      default -> new TokenBucket(permits, period, permits);
    };
  }

  @Override
  public Verdict judge() {
    for (int user = 0; user < WITHIN + BEYOND; user++) {
      double perSecond = perSecond(nominal) * (user < WITHIN ? ASKED_WITHIN : ASKED_BEYOND);
      for (int i = 0; i < instances; i++) {
        simulation.load(i, "u-" + user, perSecond / instances, END);
      }
    }
    if (!isCalm) {
      trouble();
    }
    simulation.run(END);
    String over = over(USERS, nominal);
    over = over.isEmpty() ? over(Elastic.borrowedId(USERS), borrowed) : over;
    over = over.isEmpty() ? over(POOL, pool) : over;
    return new Verdict(over, isCalm ? served() : "");
  }

  @Override
  public LoopSimulation simulation() {
    return simulation;
  }

  private String over(RuleId rule, Limit limit) {
    String violation =
        SeedRun.violation(simulation, of(rule), (generation, nanos) -> limit, isCalm);
    return violation.isEmpty() ? "" : rule + ": " + violation;
  }

  private List<Admission> of(RuleId rule) {
    return simulation.admissions.stream()
        .filter(admission -> admission.key().rule().equals(rule))
        .toList();
  }

  private String served() {
    double seconds = (END - BEGIN) / (double) SECOND;
    double within =
        count(of(USERS), user -> user < WITHIN)
            / (seconds * perSecond(nominal) * ASKED_WITHIN * WITHIN);
    double beyond = Math.min(ASKED_BEYOND, 1 + perSecond(borrowed) / perSecond(nominal));
    double asked = perSecond(nominal) * (WITHIN * ASKED_WITHIN + BEYOND * beyond);
    double used = count(of(POOL), user -> true) / (seconds * Math.min(asked, perSecond(pool)));
    story.append(", %.3f within the limit served, %.3f used".formatted(within, used));
    if (within < LEAST_SERVED) {
      return "%.3f of those within their limit served".formatted(within);
    }
    return used < LEAST_USED ? "%.3f of the pool used".formatted(used) : "";
  }

  private static long count(List<Admission> admissions, IntPredicate ofUser) {
    return admissions.stream()
        .filter(admission -> admission.takenNanos() >= LoopSimulation.START + BEGIN)
        .filter(
            admission ->
                admission.key().values().isEmpty()
                    || ofUser.test(
                        Integer.parseInt(admission.key().values().get(0).substring("u-".length()))))
        .count();
  }

  private static double perSecond(Limit limit) {
    return (double) limit.permits() * SECOND / limit.periodNanos();
  }

  private void trouble() {
    DrawnTrouble trouble = new DrawnTrouble(simulation, random, story);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      long at = SECOND + random.nextLong(END - 3 * SECOND);
      int instance = random.nextInt(instances);
      long down = 50 * MILLI + random.nextLong(2 * SECOND);
      String user = "u-" + random.nextInt(WITHIN + BEYOND);
      trouble.happens(TROUBLES.get(random.nextInt(TROUBLES.size())), instance, user, at, down);
    }
  }

  @Override
  public String toString() {
    return "%s and %s more, pool %s, %d instances%s"
        .formatted(nominal, borrowed, pool, instances, story);
  }
}
