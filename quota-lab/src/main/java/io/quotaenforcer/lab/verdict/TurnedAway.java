package io.quotaenforcer.lab.verdict;

/**
 * Requests turned away: throttled, although an {@linkplain CentralCounter exact counter} of the
 * same requests admits them.
 *
 * @param allowed requests that the exact counter admits
 * @param turnedAway of these, the throttled ones
 */
public record TurnedAway(long allowed, long turnedAway) {
  public static final TurnedAway NONE = new TurnedAway(0, 0);

  public TurnedAway {
    if (turnedAway < 0 || turnedAway > allowed) {
      throw new IllegalArgumentException(
          "must be between 0 and allowed: turnedAway=%d allowed=%d".formatted(turnedAway, allowed));
    }
  }

  /** With the requests of another part. */
  public TurnedAway plus(TurnedAway other) {
    return new TurnedAway(allowed + other.allowed, turnedAway + other.turnedAway);
  }

  /** Share of the exact counter's admissions; 0 if there are none. */
  public double percent() {
    return allowed == 0 ? 0 : 100.0 * turnedAway / allowed;
  }

  /** Counts request by request. One thread at a time. */
  public static final class Tally {
    private long allowed;
    private long turnedAway;

    /** Records a request's decision and that of an exact counter. */
    public void add(boolean isAllowed, boolean isAdmitted) {
      allowed += isAllowed ? 1 : 0;
      turnedAway += isAllowed && !isAdmitted ? 1 : 0;
    }

    public TurnedAway total() {
      return new TurnedAway(allowed, turnedAway);
    }
  }
}
