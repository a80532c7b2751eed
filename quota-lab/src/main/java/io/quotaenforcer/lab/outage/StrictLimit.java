package io.quotaenforcer.lab.outage;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A strict limit per second with a rule and one quota key of its own, in demand of more than its
 * permits, also where one of the services that share the requests evenly is missing.
 */
public record StrictLimit(LimitKind kind, Spread spread, long permits) {
  static final String DOMAIN = "bench";
  static final String ATTRIBUTE = "user";
  static final int PARTITIONS = 4;

  /** Where all of the quota keys are counted: one fault hits all of them, or none. */
  static final int PARTITION = 0;

  private static final long SECOND = 1_000_000_000L;
  private static final double DEMAND = 1.6;

  /** A holder of a tenth has 100, as has each of three even ones. */
  private static final long MOSTLY_ONE_PERMITS = 1_000;

  private static final long EVEN_PERMITS = 300;
  private static final long FEW_PERMITS = 10;

  /** Three limits of each algorithm. */
  public static List<StrictLimit> of(Collection<LimitKind> kinds) {
    List<StrictLimit> limits = new ArrayList<>();
    for (LimitKind kind : kinds) {
      limits.add(new StrictLimit(kind, Spread.EVEN, EVEN_PERMITS));
      limits.add(new StrictLimit(kind, Spread.MOSTLY_ONE, MOSTLY_ONE_PERMITS));
      limits.add(new StrictLimit(kind, Spread.EVEN, FEW_PERMITS));
    }
    return limits;
  }

  Limit limit() {
    return kind.limit(permits, SECOND);
  }

  Rule rule() {
    String id = name();
    return Rule.of(new RuleId(DOMAIN, id), List.of(ATTRIBUTE), limit())
        .withMatch(Map.of("api", new Matcher.Exact(id)))
        .withEnforcement(Enforcement.STRICT);
  }

  QuotaKey quotaKey() {
    RuleId rule = new RuleId(DOMAIN, name());
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> QuotaKey.of(rule, List.of("u" + i)))
        .filter(key -> key.partition(PARTITIONS) == PARTITION)
        .findFirst()
        .orElseThrow();
  }

  Request request() {
    return Request.of("api", name(), ATTRIBUTE, quotaKey().values().get(0));
  }

  /** Requests a second at one of the services. */
  double rate(int service) {
    return DEMAND * permits * spread.part(service);
  }

  /** Whether each holder of an even part has a hundred permits in a period. */
  public boolean isLarge() {
    return permits > FEW_PERMITS;
  }

  @Override
  public String toString() {
    return "%s, %s, %d per 1 s".formatted(kind.label(), spread.label(), permits);
  }

  private String name() {
    return kind.label() + "-" + spread.word() + "-" + permits;
  }
}
