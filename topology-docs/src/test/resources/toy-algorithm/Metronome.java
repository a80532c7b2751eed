package io.quotaenforcer.core.algorithm;

/** One permit a beat, of which there are as many in a period; those of a period may be saved. */
public record Metronome(long permits, long periodNanos) implements RenewingLimit {

  /** The end of the last beat that is paid for. */
  public record State(long paidUntilNanos) implements LimitState {}

  public Metronome {
    Limits.check(permits, periodNanos);
    if (permits < 1 || periodNanos % permits != 0) {
      throw new IllegalArgumentException("must divide the period into beats: permits=" + permits);
    }
  }

  private long beat() {
    return periodNanos / permits;
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public State initial(long now) {
    return new State(now);
  }

  @Override
  public State advance(LimitState state, long now) {
    return new State(Math.max(((State) state).paidUntilNanos, now));
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(at + periodNanos - advance(state, at).paidUntilNanos, beat());
  }

  @Override
  public State book(LimitState state, long used, long at) {
    long beats = Math.min(used, Limits.MAX_PERMITS / beat());
    return new State(advance(state, at).paidUntilNanos + beats * beat());
  }

  /** Nothing comes back: what was not used is a beat that was missed. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    return state;
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return at <= knownAt ? known : Math.min(permits, known + 2 + (at - knownAt) / beat());
  }

  @Override
  public long used(LimitState state, long now) {
    return permits - available(state, now);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return wanted > permits
        ? Long.MAX_VALUE
        : Math.max(now, ((State) state).paidUntilNanos + wanted * beat() - periodNanos);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return advance(state, now).paidUntilNanos;
  }

  @Override
  public Metronome withPermits(long newPermits) {
    return new Metronome(newPermits, periodNanos);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.METRONOME, permits, periodNanos);
  }
}
