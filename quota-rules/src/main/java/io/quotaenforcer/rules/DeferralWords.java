package io.quotaenforcer.rules;

import static io.quotaenforcer.rules.LimitWords.number;

import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;

/** The fate of requests over a rule's limit, in plain words. */
final class DeferralWords {
  private DeferralWords() {}

  static String over(Rule rule) {
    if (rule.mode() == Mode.SHADOW) {
      return "shadow mode: nothing is refused; what would have been throttled is counted as"
          + " throttled";
    }
    return rule.overLimit() instanceof OverLimit.Defer defer
        ? over(defer)
        : "throttled: the service is told no, and when to try again";
  }

  private static String over(OverLimit.Defer defer) {
    return "deferred: the service may hand over what is throttled (defer), which then waits in a"
        + " queue of its quota key, %s requests or %s at most, and is run later, %s; what is not handed"
            .formatted(number(defer.queueLength()), Words.bytes(defer.queueBytes()), release(defer))
        + " over is throttled";
  }

  private static String release(OverLimit.Defer defer) {
    return switch (defer.release()) {
          case AS_QUOTA_FREES -> "as permits become free";
          case STEADY -> "one after the other at the rate of the limit";
        }
        + ", with %s of the limit guaranteed"
            .formatted(Words.percent(defer.replayShareBasisPoints()));
  }
}
