package io.quotaenforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleExplanation.Line;
import java.util.List;
import java.util.Locale;

/** The exactness of a rule, in plain words. */
final class BoundWords {
  /** The enforcer's; none of what is asked of them depends on how many instances there are. */
  private static final LedgerSettings DEFAULTS = LedgerSettings.defaults(1);

  private final Rule rule;
  private final Limit limit;
  private final int maxInstances;
  private final DeclaredBound bound;

  BoundWords(Rule rule, int maxInstances, DeclaredBound bound) {
    this.rule = rule;
    this.limit = rule.limits().get(0);
    this.maxInstances = maxInstances;
    this.bound = bound;
  }

  List<Line> lines() {
    return List.of(
        new Line("enforcement", enforcement()),
        new Line("bound", connected()),
        new Line("expected", expected()),
        new Line("enforcer away", whenAway()),
        new Line("bound then", away()),
        new Line("instance gone", whenGone()));
  }

  private String enforcement() {
    return switch (rule.enforcement()) {
      case STRICT ->
          isOfSlots()
              ? "strict: a request runs only in a slot that the enforcer granted to its instance, and"
                  + " gives it back when it ends. The first one on a key that the instance did not"
                  + " use lately waits a loop (enterAsync). A request that is only decided holds its"
                  + " slot for no time"
              : "strict: an instance admits only permits that the enforcer granted to it. The first"
                  + " request on a key that it did not use lately is not granted yet: have it wait"
                  + " (decideAsync, or decide with a time to wait), which takes a loop";
      case BALANCED ->
          "balanced: an instance admits permits that the enforcer granted to it, and where it"
              + " holds none, by its own count, what it knows to be left: "
              + opening()
              + " of a key that it has not heard of";
      case PER_INSTANCE ->
          "per-instance: each instance has the whole limit for itself, and asks nobody";
    };
  }

  String connected() {
    if (rule.enforcement() == Enforcement.STRICT) {
      return "never over, whatever fails";
    }
    if (bound.connected() == 0) {
      return "never over";
    }
    return "at most %s over the limit%s %s%s: %s"
        .formatted(
            LimitWords.permits(bound.connected()),
            ofAKey(),
            inAWindow(),
            percent(bound.connected()),
            sum());
  }

  private String expected() {
    return switch (rule.enforcement()) {
      case STRICT -> "nothing over";
      case BALANCED ->
          "what clients ask for in one loop (about 50 ms), up to the bound: %s if their demand is just the limit"
              .formatted(inOneLoop());
      case PER_INSTANCE -> "what clients ask for, up to the bound";
    };
  }

  private String whenAway() {
    if (rule.enforcement() == Enforcement.PER_INSTANCE) {
      return "makes no difference: an instance decides for itself";
    }
    if (isOfSlots()) {
      return "requests that run go on, and may take over slots that come back there, for at most the"
          + " lease (2 s); then everything is throttled";
    }
    String share =
        hasShares()
            ? "an instance goes on with its share, about what it is asked for steadily, for up to"
                + " share.term (30 s), as if nothing had happened. Beyond that "
            : "";
    return share
        + "permits at hand are spent first, for at most the lease (2 s); then "
        + switch (rule.onUnavailable()) {
          case DENY -> "everything is throttled";
          case LOCAL -> "each instance admits its share of the limit by itself: " + share();
          case ALLOW -> "everything is admitted";
        };
  }

  private String whenGone() {
    if (rule.enforcement() == Enforcement.PER_INSTANCE) {
      return "makes no difference to others";
    }
    if (isOfSlots()) {
      return "one that closes gives back its free slots, and the others as its requests end; slots of"
          + " one that crashes are free %s after its lease (2 s)"
              .formatted(Words.period(limit.terms().maxHoldNanos()));
    }
    return "one that closes gives back all that it holds; one that crashes keeps it from others:"
        + " what is leased for 2 s"
        + (hasShares() ? ", its share for share.term (30 s)" : "")
        + (DEFAULTS.letsRest(limit, rule)
            ? ", and permits that were left alone there for rest.term (10 min), which are at most"
                + " half the limit at all instances together"
            : "");
  }

  private boolean isOfSlots() {
    return limit instanceof ConcurrencyLimit;
  }

  private boolean hasShares() {
    return DEFAULTS.letsSharesOf(limit);
  }

  String away() {
    if (bound.away().isEmpty()) {
      return "none: over-admission is not limited while the enforcer is away";
    }
    long most = bound.away().getAsLong();
    if (most == bound.connected()) {
      return most == 0 ? "never over" : "the same";
    }
    return "at most %s over the limit%s %s%s, the bound above included: reached when some instances are cut off while the others spend the limit"
        .formatted(LimitWords.permits(most), ofAKey(), inAWindow(), percent(most));
  }

  private String share() {
    Limit share = limit.share(maxInstances);
    String period = Words.per(share);
    return share.capacity() != share.permits() || TokenBucket.in(share).isPresent()
        ? "a bucket of %s that refills at %s per %s"
            .formatted(
                LimitWords.number(share.capacity()), LimitWords.number(share.permits()), period)
        : "%s per %s".formatted(LimitWords.number(share.permits()), period);
  }

  private String sum() {
    return rule.enforcement() == Enforcement.BALANCED
        ? "reached if all of %s instances open it at the same moment, each with %s"
            .formatted(
                LimitWords.number(maxInstances),
                LimitWords.number(rule.opening().inAPeriod(limit, maxInstances)))
        : "the limit of each of %s instances but one".formatted(LimitWords.number(maxInstances));
  }

  private String opening() {
    long atOnce = rule.opening().atOnce(limit, maxInstances);
    return atOnce == limit.capacity()
        ? "the whole limit"
        : "%s of %s".formatted(LimitWords.number(atOnce), LimitWords.number(limit.capacity()));
  }

  private String percent(long permits) {
    return limit.permits() == 0
        ? ""
        : String.format(Locale.ROOT, " (%,.0f %% of it)", permits * 100.0 / limit.permits());
  }

  private String ofAKey() {
    return rule.key().isEmpty() ? "" : " of a key";
  }

  private String inAWindow() {
    if (limit.terms().windows() instanceof Windows.Calendar) {
      return "in one " + Words.per(limit);
    }
    return (limit instanceof WindowedLimit ? "in one window of " : "in ") + Words.per(limit);
  }

  private String inOneLoop() {
    double permits = (double) limit.permits() * RuleExplanation.LOOP_NANOS / limit.periodNanos();
    if (permits >= bound.connected()) {
      return LimitWords.permits(bound.connected());
    }
    return permits < 0.01 ? "under 0.01" : String.format(Locale.ROOT, "%,.2f", permits);
  }
}
