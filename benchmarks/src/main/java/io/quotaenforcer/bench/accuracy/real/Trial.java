package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.accuracy.scenario.Demand;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A scenario decided in one way, in real time: two windows that warm up, then those that are
 * measured. It has a rule and a quota key of its own.
 *
 * @param seconds measured; at least one window is
 * @param seed that the requests are drawn from
 */
public record Trial(Scenario scenario, PolicyKind policy, int seconds, long seed) {
  /** Windows before the first that is measured. */
  public static final int WARM_UP_WINDOWS = 2;

  public static final String DOMAIN = "bench";

  /** Asked of instances before the first trial that is measured: what just started is slow. */
  public static final Scenario WARM_UP =
      new Scenario(
          "warm-up",
          new FixedWindow(1_000, 1_000_000_000L),
          8,
          Demand.even(2_000, 8),
          List.of(Double.NaN, Double.NaN));

  private static final String USER = "42";
  private static final String NOT_IN_A_NAME = "[^a-z0-9]+";
  private static final double NANOS_PER_SECOND = 1e9;

  public Trial {
    if (seconds < 1) {
      throw new IllegalArgumentException("must be >= 1: seconds=" + seconds);
    }
  }

  /** Windows that are measured. */
  public int windows() {
    return (int) Math.max(1, seconds * NANOS_PER_SECOND / scenario.limit().periodNanos());
  }

  /** Windows in which there is load. */
  public int allWindows() {
    return WARM_UP_WINDOWS + windows();
  }

  /** How long the load lasts. */
  public long loadNanos() {
    return allWindows() * scenario.limit().periodNanos();
  }

  /** When the first measured window begins, since the start. */
  public long measuredFromNanos() {
    return WARM_UP_WINDOWS * scenario.limit().periodNanos();
  }

  /** When an instance's requests are due, in nanoseconds since the start; the same each time. */
  public long[] dueNanos(int instance) {
    Arrivals all =
        new Arrivals(scenario, loadNanos() / NANOS_PER_SECOND, new SplittableRandom(seed));
    return IntStream.range(0, all.size())
        .filter(i -> all.instance(i) == instance)
        .mapToLong(i -> all.at(i) - Arrivals.START)
        .toArray();
  }

  /** The rule that its requests match, and no other's. */
  public Rule rule() {
    RuleId id = new RuleId(DOMAIN, name());
    return Rule.of(id, List.of("user"), scenario.limit())
        .withMatch(Map.of("api", new Matcher.Exact(name())))
        .withEnforcement(policy.enforcement())
        .withVersion(1, 1);
  }

  /** The request that is made again and again. */
  public Request request() {
    return Request.of("api", name(), "user", USER);
  }

  public QuotaKey quotaKey() {
    return QuotaKey.of(rule().id(), List.of(USER));
  }

  private String name() {
    String text = policy.label() + "-" + scenario.name();
    return text.toLowerCase(Locale.ROOT).replaceAll(NOT_IN_A_NAME, "-");
  }
}
