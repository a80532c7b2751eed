package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Sixty users of eight instances: fifty ask for half of their limit, ten for three times as much,
 * and may have that as far as a pool reaches. Each request comes to an instance by chance.
 *
 * @param poolPart the pool's permits, as a part of what all ask for
 */
public record ElasticLoad(LimitKind kind, Enforcement enforcement, double poolPart) {
  private static final long SECOND = 1_000_000_000L;

  public static final int INSTANCES = 8;
  public static final int PARTITIONS = 8;
  public static final long PERIOD = 10 * SECOND;
  public static final int USERS = 60;

  /** How long callers of strict rules wait if they find nothing of a user at an instance. */
  private static final long WAIT = SECOND / 5;

  private static final long NOMINAL = 100;
  private static final int WITHIN = 50;
  private static final double PART_WITHIN = 0.5;
  private static final int TIMES_BEYOND = 3;
  private static final int UP_TO = TIMES_BEYOND * 10_000;
  private static final double ASKED =
      NOMINAL * (WITHIN * PART_WITHIN + (USERS - WITHIN) * (double) TIMES_BEYOND);

  private static final RuleId OF_USERS = new RuleId("messages", "per-user");
  private static final RuleId OF_POOL = new RuleId("messages", "all");

  public RuleSet rules() {
    Rule users =
        Rule.of(OF_USERS, List.of("user"), kind.limit(NOMINAL, PERIOD))
            .withEnforcement(enforcement)
            .withElastic(new Elastic(OF_POOL.id(), UP_TO))
            .withVersion(1, 1);
    Rule pool =
        Rule.of(OF_POOL, List.of(), ofPool()).withEnforcement(enforcement).withVersion(1, 1);
    return RuleSet.of(List.of(users, pool));
  }

  public static Request request(int user) {
    return Request.of("user", "u-" + user);
  }

  /** Time from one request of a user to the next, by chance. */
  public static long gap(int user, SplittableRandom random) {
    double perPeriod = NOMINAL * (isWithin(user) ? PART_WITHIN : TIMES_BEYOND);
    return (long) (-Math.log(1 - random.nextDouble()) * PERIOD / perPeriod);
  }

  /** Whether a user asks for less than the limit. */
  static boolean isWithin(int user) {
    return user < WITHIN;
  }

  /** How long callers wait. */
  public long waitNanos() {
    return enforcement == Enforcement.STRICT ? WAIT : 0;
  }

  static boolean isPool(RuleId rule) {
    return rule.equals(OF_POOL);
  }

  Limit ofPool() {
    return kind.limit(Math.round(poolPart * ASKED), PERIOD);
  }

  /** What a user may take in all. */
  Limit ofUserInAll() {
    return kind.limit(TIMES_BEYOND * NOMINAL, PERIOD);
  }

  /** The part of what users beyond their limit ask for that the limit alone would serve. */
  static double ownLimit() {
    return 1.0 / TIMES_BEYOND;
  }
}
