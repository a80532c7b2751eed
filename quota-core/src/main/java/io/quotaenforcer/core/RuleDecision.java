package io.quotaenforcer.core;

import io.quotaenforcer.core.adapt.AdaptedLimit;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Standing of a rule at the time when it decided a request. Immutable. */
public final class RuleDecision {
  /** {@link #retryAfterNanos} of a request that never finds room. */
  public static final long NEVER_NANOS = Long.MAX_VALUE;

  private final Facts facts;

  private RuleDecision(Facts facts) {
    this.facts = facts;
  }

  private record Facts(
      QuotaKey quotaKey,
      PermitsPerPeriod allowed,
      long remaining,
      long resetNanos,
      long retryAfterNanos,
      long windowStartNanos,
      boolean degraded,
      boolean known,
      boolean shadow,
      long atNanos,
      boolean aboveNominal,
      long owed,
      String demandClass,
      PermitSource source,
      ThrottleReason reason,
      Optional<AdaptedLimit> adapted) {}

  private record NoPermits(long periodNanos) implements PermitsPerPeriod {
    @Override
    public long permits() {
      return 0;
    }
  }

  /**
   * A rule that had room, whose standing is known, and of which nothing is left.
   *
   * @param quotaKey the unit that was counted
   * @param allowed the rule's limit for this quota key, with override and tolerance
   * @param atNanos the clock read of the decision, in the instance's monotonic nanoseconds
   */
  public static Builder builder(QuotaKey quotaKey, PermitsPerPeriod allowed, long atNanos) {
    return new Builder(quotaKey, allowed, atNanos);
  }

  /** The decision for a denied quota key: limit 0, and no time at which to try again. */
  public static RuleDecision denied(
      QuotaKey quotaKey, long periodNanos, boolean shadow, long atNanos) {
    return builder(quotaKey, new NoPermits(periodNanos), atNanos)
        .retryAfterNanos(NEVER_NANOS)
        .known(false)
        .shadow(shadow)
        .reason(ThrottleReason.DENIED)
        .build();
  }

  /** The unit that was counted. */
  public QuotaKey quotaKey() {
    return facts.quotaKey;
  }

  /** The rule's limit for this quota key, with override and tolerance. */
  public PermitsPerPeriod allowed() {
    return facts.allowed;
  }

  /** Permits that the rule allows per period. */
  public long limit() {
    return facts.allowed.permits();
  }

  /**
   * Why {@link #limit} is another than the one written, and since when: of rules whose limit
   * follows the load. Empty while the limit is as it is written, and as long as the instance has
   * not heard of it.
   */
  public Optional<AdaptedLimit> adapted() {
    return facts.adapted;
  }

  /**
   * Permits left of the limit as far as the instance knows; an estimate. Fewer than the request
   * costs if it was over the limit.
   */
  public long remaining() {
    return facts.remaining;
  }

  /** Nanoseconds from the decision until the quota renews. */
  public long resetNanos() {
    return facts.resetNanos;
  }

  /**
   * Nanoseconds after which a throttled request may succeed; 0 if the rule had room; {@link
   * #NEVER_NANOS} if it costs more than the limit ever gives, or an override denies the quota key.
   */
  public long retryAfterNanos() {
    return facts.retryAfterNanos;
  }

  /** {@link #retryAfterNanos} as a time; empty for {@link #NEVER_NANOS}. */
  public Optional<Duration> retryAfter() {
    return facts.retryAfterNanos == NEVER_NANOS
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(facts.retryAfterNanos));
  }

  /**
   * Start of the permit's window, in enforcer time (epoch nanoseconds); 0 for kinds without
   * windows.
   */
  public long windowStartNanos() {
    return facts.windowStartNanos;
  }

  /** Whether the enforcer was away and the rule's {@code on-unavailable} decided. */
  public boolean degraded() {
    return facts.degraded;
  }

  /**
   * Whether the instance knew the quota key's standing. Before its first quota snapshot it does
   * not: then {@link #remaining} is the number it may admit by itself, and {@link #resetNanos} is
   * 0. Nor does it for a denied quota key, which has no quota.
   */
  public boolean known() {
    return facts.known;
  }

  /** Whether the rule only observes, and throttles nothing. */
  public boolean shadow() {
    return facts.shadow;
  }

  /** The clock read of this decision, in the instance's monotonic nanoseconds. */
  public long atNanos() {
    return facts.atNanos;
  }

  /**
   * Whether more is used than the limit without its tolerance, this request included, as far as the
   * instance knows; always false for a rule without tolerance.
   */
  public boolean aboveNominal() {
    return facts.aboveNominal;
  }

  /**
   * Permits that this instance must still take for requests that cost more than they reserved:
   * until then it admits nothing by this rule.
   */
  public long owed() {
    return facts.owed;
  }

  /** Name of the rule's class that the request is of; empty where the rule has no classes. */
  public String demandClass() {
    return facts.demandClass;
  }

  /** Origin of the permits. */
  public PermitSource source() {
    return facts.source;
  }

  /** Why the rule had no room. */
  public ThrottleReason reason() {
    return facts.reason;
  }

  /** Whether the rule had room: false if it throttled, or would have except for shadow mode. */
  public boolean hadRoom() {
    return facts.retryAfterNanos == 0;
  }

  /** Whether an override denies the quota key: waiting, or trying again, is useless. */
  public boolean isDenied() {
    return facts.allowed instanceof NoPermits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RuleDecision that && facts.equals(that.facts);
  }

  @Override
  public int hashCode() {
    return facts.hashCode();
  }

  @Override
  public String toString() {
    return "RuleDecision" + facts.toString().substring("Facts".length());
  }

  /** Sets what differs from {@link RuleDecision#builder}. For one thread. */
  public static final class Builder {
    private final QuotaKey quotaKey;
    private final PermitsPerPeriod allowed;
    private final long atNanos;
    private long remaining;
    private long resetNanos;
    private long retryAfterNanos;
    private long windowStartNanos;
    private boolean degraded;
    private boolean known = true;
    private boolean shadow;
    private boolean aboveNominal;
    private long owed;
    private String demandClass = "";
    private @Nullable PermitSource source;
    private @Nullable ThrottleReason reason;
    private @Nullable AdaptedLimit adapted;

    private Builder(QuotaKey quotaKey, PermitsPerPeriod allowed, long atNanos) {
      this.quotaKey = quotaKey;
      this.allowed = allowed;
      this.atNanos = atNanos;
    }

    /** See {@link RuleDecision#remaining}. */
    public Builder remaining(long permits) {
      remaining = permits;
      return this;
    }

    /** See {@link RuleDecision#resetNanos}. */
    public Builder resetNanos(long nanos) {
      resetNanos = nanos;
      return this;
    }

    /** See {@link RuleDecision#retryAfterNanos}; more than 0 for a rule that had no room. */
    public Builder retryAfterNanos(long nanos) {
      retryAfterNanos = nanos;
      return this;
    }

    /** See {@link RuleDecision#windowStartNanos}. */
    public Builder windowStartNanos(long epochNanos) {
      windowStartNanos = epochNanos;
      return this;
    }

    /** See {@link RuleDecision#degraded}. */
    public Builder degraded(boolean isDegraded) {
      degraded = isDegraded;
      return this;
    }

    /** See {@link RuleDecision#known}. */
    public Builder known(boolean isKnown) {
      known = isKnown;
      return this;
    }

    /** See {@link RuleDecision#shadow}. */
    public Builder shadow(boolean isShadow) {
      shadow = isShadow;
      return this;
    }

    /** See {@link RuleDecision#aboveNominal}. */
    public Builder aboveNominal(boolean isAboveNominal) {
      aboveNominal = isAboveNominal;
      return this;
    }

    /** See {@link RuleDecision#owed}. */
    public Builder owed(long permits) {
      owed = permits;
      return this;
    }

    /** See {@link RuleDecision#demandClass}. */
    public Builder demandClass(String name) {
      demandClass = name;
      return this;
    }

    /** Origin of the permits; if not set, they were granted where there was room. */
    public Builder source(PermitSource of) {
      source = of;
      return this;
    }

    /** Why there was no room; if not set, the limit. */
    public Builder reason(ThrottleReason why) {
      reason = why;
      return this;
    }

    /** See {@link RuleDecision#adapted}; null while the limit is as it is written. */
    public Builder adapted(@Nullable AdaptedLimit limit) {
      adapted = limit;
      return this;
    }

    /** The decision. */
    public RuleDecision build() {
      boolean hadRoom = retryAfterNanos == 0;
      PermitSource from = hadRoom ? PermitSource.GRANTED : PermitSource.NONE;
      ThrottleReason why = hadRoom ? ThrottleReason.NONE : ThrottleReason.OVER_LIMIT;
      return new RuleDecision(
          new Facts(
              quotaKey,
              allowed,
              remaining,
              resetNanos,
              retryAfterNanos,
              windowStartNanos,
              degraded,
              known,
              shadow,
              atNanos,
              aboveNominal,
              owed,
              demandClass,
              source == null ? from : source,
              reason == null ? why : reason,
              Optional.ofNullable(adapted)));
    }
  }
}
