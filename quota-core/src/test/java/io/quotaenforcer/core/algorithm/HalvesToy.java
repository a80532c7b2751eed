package io.quotaenforcer.core.algorithm;

/**
 * An algorithm of the tests alone, with a state of its own: at most {@code permits} in this half of
 * a period and the one before.
 */
public record HalvesToy(long permits, long periodNanos) implements RenewingLimit {

  /** The use, counted in halves of the period. */
  record State(SlidingSubWindows.State halves) implements LimitState {}

  private SlidingSubWindows counted() {
    return new SlidingSubWindows(permits, periodNanos, 2);
  }

  private static SlidingSubWindows.State halves(LimitState state) {
    return ((State) state).halves;
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public LimitState initial(long now) {
    return new State(counted().initial(now));
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    return new State(counted().advance(halves(state), now));
  }

  @Override
  public long available(LimitState state, long at) {
    return counted().available(halves(state), at);
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    return new State(counted().book(halves(state), used, at));
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    return new State(counted().unbook(halves(state), unused, at));
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return counted().mostAvailable(known, knownAt, at);
  }

  @Override
  public long used(LimitState state, long now) {
    return counted().used(halves(state), now);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return counted().availableAt(halves(state), wanted, now);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return counted().resetAt(halves(state), now);
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  @Override
  public long borderNanos() {
    return periodNanos / 2;
  }

  @Override
  public HalvesToy withPermits(long newPermits) {
    return new HalvesToy(newPermits, periodNanos);
  }

  /** No rule file, record or row can have it: those know the algorithms of the enum alone. */
  @Override
  public LimitTerms terms() {
    throw new UnsupportedOperationException("must be an algorithm of rules: " + this);
  }
}
