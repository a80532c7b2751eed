package io.quotaenforcer.enforcer.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.verdict.VerdictTerms;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a stranger must know beside the decisions to recompute a verdict: {@code rules.json} of a
 * trace.
 *
 * @param instances names of the instances; the decisions of each are in {@code <name>.csv}
 * @param maxInstances instances that a shared opening is divided by
 * @param labelToleranceMicros how far a stamp may lie outside its window
 * @param sliceMicros length of the slices of time in which demand is measured
 * @param loopMicros time from report to answer, by which balanced rules are judged; null where none
 *     was measured: then by the worst case
 * @param countDelayMicros age of the count in the comparison with a plain delayed count
 */
public record TraceFacts(
    List<String> instances,
    int maxInstances,
    long labelToleranceMicros,
    long sliceMicros,
    @Nullable Long loopMicros,
    long countDelayMicros,
    List<RuleFacts> rules) {
  static final String FILE_NAME = "rules.json";

  public TraceFacts {
    instances = List.copyOf(instances);
    rules = List.copyOf(rules);
  }

  public static TraceFacts of(
      List<String> instances, VerdictTerms terms, long countDelayNanos, List<Rule> rules) {
    return new TraceFacts(
        instances,
        terms.maxInstances(),
        terms.labelToleranceNanos() / 1000,
        terms.sliceNanos() / 1000,
        null,
        countDelayNanos / 1000,
        rules.stream().map(RuleFacts::of).toList());
  }

  /** The same with a loop that was measured. */
  TraceFacts withLoop(long loopNanos) {
    return new TraceFacts(
        instances,
        maxInstances,
        labelToleranceMicros,
        sliceMicros,
        loopNanos / 1000,
        countDelayMicros,
        rules);
  }

  /** The loop of the verdict that the trace was made with. */
  public OptionalLong loop() {
    return loopMicros == null ? OptionalLong.empty() : OptionalLong.of(loopMicros * 1000);
  }

  /** The terms of the verdict that the trace was made with. */
  public VerdictTerms terms() {
    return new VerdictTerms(
        instances.size(), maxInstances, labelToleranceMicros * 1000, sliceMicros * 1000);
  }

  String toJson() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("rules.json could not be written", e);
    }
  }

  static TraceFacts parse(String json) {
    try {
      return new ObjectMapper().readValue(json, TraceFacts.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "must be the facts of a trace: " + FILE_NAME + ": " + e.getOriginalMessage(), e);
    }
  }

  /**
   * The facts of one rule.
   *
   * @param algorithm fixed-window, sliding-window or token-bucket
   * @param permits per period, tolerance included
   * @param burst most permits at one instant
   * @param enforcement strict, balanced or per-instance
   * @param openingBasisPoints how much of the limit an instance opens, in hundredths of a percent;
   *     null for a tenth, shared among the most instances
   */
  public record RuleFacts(
      String rule,
      String algorithm,
      long permits,
      long periodMicros,
      long burst,
      String enforcement,
      @Nullable Integer openingBasisPoints) {

    private static final Set<Class<? extends Limit>> TRACED =
        Set.of(FixedWindow.class, SlidingWindow.class, TokenBucket.class);

    static RuleFacts of(Rule rule) {
      if (!rule.overrides().isEmpty()) {
        throw new IllegalArgumentException(
            "must have no overrides to be traced: rule=" + rule.id());
      }
      Limit limit = rule.limit();
      if (limit.periodNanos() % 1000 != 0) {
        throw new IllegalArgumentException(
            "must be whole microseconds to be traced: periodNanos=" + limit.periodNanos());
      }
      Limit tolerant =
          limit.withPermits(
              limit.permits() + limit.permits() * rule.toleranceBasisPoints() / 10_000);
      return new RuleFacts(
          rule.id().toString(),
          algorithm(limit),
          tolerant.permits(),
          limit.periodNanos() / 1000,
          tolerant.capacity(),
          rule.enforcement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          rule.opening() instanceof Opening.Part part ? part.basisPoints() : null);
    }

    /** A rule that a verdict judges as it judged the traced one. */
    Rule toRule() {
      long periodNanos = periodMicros * 1000;
      LimitTerms terms =
          LimitTerms.of(
              Algorithm.valueOf(algorithm.toUpperCase(Locale.ROOT).replace('-', '_')),
              permits,
              periodNanos);
      boolean bucket = terms.algorithm() == Algorithm.TOKEN_BUCKET;
      Limit limit = (bucket ? terms.withBurst(burst) : terms).toLimit();
      return Rule.of(RuleId.parse(rule), List.of(), limit)
          .withEnforcement(
              Enforcement.valueOf(enforcement.toUpperCase(Locale.ROOT).replace('-', '_')))
          .withOpening(
              openingBasisPoints == null ? Opening.SHARED : new Opening.Part(openingBasisPoints));
    }

    private static String algorithm(Limit limit) {
      if (!TRACED.contains(limit.getClass())) {
        throw new IllegalArgumentException(
            "must be a fixed window, a sliding window or a token bucket to be traced: limit="
                + limit);
      }
      return limit.terms().algorithm().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
