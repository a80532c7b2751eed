package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the numbers of a limit whose algorithm and period are known already. */
final class LimitTermsReader {
  private static final Duration LONGEST_WARM_UP = Duration.ofNanos(WarmUpBucket.MAX_WARM_UP_NANOS);

  private final Problems problems;
  private final Scalars scalars;

  LimitTermsReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /**
   * The terms of a limit; null when one of them is wrong.
   *
   * @param algorithm null when it is wrong itself
   * @param windows null when they are wrong themselves
   * @param ofRule for the limit of an override: what this does not give is as in its rule, but for
   *     the burst of a token bucket; null for the limit of a rule
   */
  @Nullable LimitTerms read(
      Fields fields,
      @Nullable Algorithm algorithm,
      @Nullable Windows windows,
      @Nullable LimitTerms ofRule) {
    Long permits = permits(fields, algorithm);
    Node burst = fields.optional("burst");
    if (algorithm == null && burst != null) {
      scalars.permits(burst, "burst", 0);
    }
    if (permits == null || algorithm == null || windows == null) {
      return null;
    }
    LimitTerms terms = LimitTerms.of(algorithm, permits, windows);
    LimitTerms byDefault = ofRule == null ? terms : ofRule;
    return switch (algorithm) {
      case FIXED_WINDOW, SLIDING_WINDOW -> terms;
      case SLIDING_SUB_WINDOWS -> slots(fields, terms, byDefault);
      case SLIDING_LOG -> log(fields, terms, byDefault);
      case LEAKY_BUCKET -> leaky(fields, terms, byDefault);
      case TOKEN_BUCKET -> bucket(fields, terms, byDefault);
    };
  }

  private @Nullable Long permits(Fields fields, @Nullable Algorithm algorithm) {
    boolean bucket = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
    Node node = fields.required("permits", "give how many per period, such as permits: 2");
    String what = algorithm != null && bucket ? "permits of a " + Words.of(algorithm) : "permits";
    return node == null ? null : scalars.permits(node, what, bucket ? 1 : 0);
  }

  private @Nullable LimitTerms slots(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    boolean hasDefault = byDefault.slots() > 0;
    Node node =
        hasDefault
            ? fields.optional("slots")
            : fields.required(
                "slots", "give into how many parts the period is divided, such as slots: 6");
    if (node == null) {
      return hasDefault ? terms.withSlots(byDefault.slots()) : null;
    }
    Long slots =
        scalars.number(node, "slots", SlidingSubWindows.MIN_SLOTS, SlidingSubWindows.MAX_SLOTS);
    return slots == null ? null : terms.withSlots(slots.intValue());
  }

  private @Nullable LimitTerms log(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Node node = fields.optional("count-throttled");
    Boolean counts =
        node == null
            ? Boolean.valueOf(byDefault.countThrottled())
            : scalars.truth(node, "count-throttled");
    return counts == null ? null : terms.withCountThrottled(counts);
  }

  private @Nullable LimitTerms leaky(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Node node = fields.optional("burst");
    Long burst = node == null ? Long.valueOf(byDefault.burst()) : scalars.permits(node, "burst", 0);
    return burst == null ? null : terms.withBurst(burst);
  }

  private @Nullable LimitTerms bucket(Fields fields, LimitTerms terms, LimitTerms byDefault) {
    Node burstNode = fields.optional("burst");
    Long burst =
        burstNode == null ? Long.valueOf(terms.permits()) : scalars.permits(burstNode, "burst", 1);
    if (burst == null) {
      return null;
    }
    Node initialNode = fields.optional("initial");
    Long initial =
        byDefault.initial() == byDefault.burst()
            ? burst
            : Long.valueOf(Math.min(byDefault.initial(), burst));
    if (initialNode != null) {
      initial = scalars.number(initialNode, "initial", 0, burst);
    }
    LimitTerms.Refill refill = byDefault.refill();
    Node refillNode = fields.optional("refill");
    if (refillNode != null) {
      refill = scalars.constant(refillNode, "refill", LimitTerms.Refill.values());
    }
    Node warmUpNode = fields.optional("warm-up");
    Long warmUp = byDefault.warmUpNanos();
    if (warmUpNode != null) {
      warmUp = scalars.duration(warmUpNode, "warm-up", Duration.ofMillis(1), LONGEST_WARM_UP);
    }
    if (initial == null || refill == null || warmUp == null) {
      return null;
    }
    if (warmUpNode != null && refill == LimitTerms.Refill.INTERVAL) {
      problems.at(warmUpNode, "warm-up has no meaning for refill: interval; remove one of the two");
      return null;
    }
    return terms.withBurst(burst).withInitial(initial).withRefill(refill).withWarmUp(warmUp);
  }
}
