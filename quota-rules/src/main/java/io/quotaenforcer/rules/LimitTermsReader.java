package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.LimitTerms.Refill;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the numbers of a limit whose algorithm and period are known already. */
record LimitTermsReader(Problems problems, Scalars scalars) {
  private static final Duration LONGEST_WARM_UP = Duration.ofNanos(WarmUpBucket.MAX_WARM_UP_NANOS);

  /** Reads the terms that an algorithm has beside permits and period. */
  private interface OfAlgorithm {
    @Nullable LimitTerms read(
        LimitTermsReader reader, Fields fields, LimitTerms terms, LimitTerms byDefault);
  }

  /** Algorithms that have terms of their own. */
  private static final Map<Algorithm, OfAlgorithm> OWN =
      Map.of(
          Algorithm.SLIDING_SUB_WINDOWS, LimitTermsReader::slots,
          Algorithm.SLIDING_LOG, LimitTermsReader::countThrottled,
          Algorithm.LEAKY_BUCKET, LimitTermsReader::requestsTooEarly,
          Algorithm.TOKEN_BUCKET, LimitTermsReader::bucket,
          Algorithm.CONCURRENCY, LimitTermsReader::maxHold);

  LimitTermsReader(Problems problems) {
    this(problems, new Scalars(problems));
  }

  /**
   * The terms of a limit; null if one of them is wrong.
   *
   * @param algorithm null if it is wrong itself
   * @param windows null if they are wrong themselves
   * @param ofRule for the limit of an override, which inherits missing terms from its rule, except
   *     the burst of a token bucket; null for the limit of a rule
   */
  @Nullable LimitTerms read(
      Fields fields,
      @Nullable Algorithm algorithm,
      @Nullable Windows windows,
      @Nullable LimitTerms ofRule) {
    Long permits = permits(fields, algorithm);
    if (algorithm == null) {
      fields.value("burst", 0L, permitsFrom(0));
    }
    if (permits == null || algorithm == null || windows == null) {
      return null;
    }
    LimitTerms terms = LimitTerms.of(algorithm, permits, windows);
    LimitTerms byDefault = ofRule == null ? terms : ofRule;
    OfAlgorithm own = OWN.get(algorithm);
    return own == null ? terms : own.read(this, fields, terms, byDefault);
  }

  private @Nullable LimitTerms countThrottled(
      Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Boolean counts = fields.value("count-throttled", byDefault.countThrottled(), scalars::truth);
    return counts == null ? null : terms.withCountThrottled(counts);
  }

  private @Nullable LimitTerms requestsTooEarly(
      Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Long burst = fields.value("burst", byDefault.burst(), permitsFrom(0));
    return burst == null ? null : terms.withBurst(burst);
  }

  /** Given beside the number of slots, and read with it; an override has that of its rule. */
  private LimitTerms maxHold(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    return terms.withMaxHold(byDefault.maxHoldNanos());
  }

  private @Nullable Long permits(Fields fields, @Nullable Algorithm algorithm) {
    boolean bucket = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
    Node node = fields.required("permits", "give how many per period, such as permits: 2");
    String what = algorithm != null && bucket ? "permits of a " + Words.of(algorithm) : "permits";
    return node == null ? null : scalars.permits(node, what, bucket ? 1 : 0);
  }

  private @Nullable LimitTerms slots(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    boolean isGiven =
        byDefault.slots() > 0
            || fields.required(
                    "slots", "give into how many parts the period is divided, such as slots: 6")
                != null;
    Long slots =
        fields.value(
            "slots",
            (long) byDefault.slots(),
            (node, what) ->
                scalars.number(
                    node, what, SlidingSubWindows.MIN_SLOTS, SlidingSubWindows.MAX_SLOTS));
    return slots == null || !isGiven ? null : terms.withSlots(slots.intValue());
  }

  private @Nullable LimitTerms bucket(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Long burst = fields.value("burst", terms.permits(), permitsFrom(1));
    if (burst == null) {
      return null;
    }
    boolean isFull = byDefault.initial() == byDefault.burst();
    Long initial =
        fields.value(
            "initial",
            isFull ? burst : Math.min(byDefault.initial(), burst),
            (node, what) -> scalars.number(node, what, 0, burst));
    Refill refill =
        fields.value(
            "refill",
            byDefault.refill(),
            (node, what) -> scalars.constant(node, what, Refill.values()));
    Long warmUp =
        fields.value(
            "warm-up",
            byDefault.warmUpNanos(),
            (node, what) -> scalars.duration(node, what, Duration.ofMillis(1), LONGEST_WARM_UP));
    if (initial == null || refill == null || warmUp == null) {
      return null;
    }
    Node warmUpNode = fields.optional("warm-up");
    if (warmUpNode != null && refill == Refill.INTERVAL) {
      problems.at(warmUpNode, "warm-up has no meaning for refill: interval; remove one of the two");
      return null;
    }
    return terms.withBurst(burst).withInitial(initial).withRefill(refill).withWarmUp(warmUp);
  }

  private Fields.Reader<Long> permitsFrom(long least) {
    return (node, what) -> scalars.permits(node, what, least);
  }
}
