package io.quotaenforcer.enforcer.clock;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distance by which the host's clock was set back. Kafka's clients go by it, and never back: until
 * it is where it was they send no heartbeat, so that they are put out of their group, and do not
 * join it again. Nothing but new clients helps.
 */
final class SetBack {
  private static final Logger log = LoggerFactory.getLogger(SetBack.class);

  /** Less, and a group waits for them: a session takes six seconds to end. */
  private static final long MATTERS_NANOS = 3_000_000_000L;

  private boolean begun;
  private long offsetNanos;

  /** Its lag behind the latest time that it had shown, and the time of that look. */
  private long missingNanos;

  private long lookedAtNanos;
  private long setBackNanos;

  /**
   * @param newOffsetNanos of the host's clock to the monotonic one
   */
  synchronized void hostIsAt(long newOffsetNanos, long monotonicNanos) {
    long back = begun ? offsetNanos - newOffsetNanos : 0;
    begun = true;
    offsetNanos = newOffsetNanos;
    long missing = Math.max(0, left(monotonicNanos) + back);
    missingNanos = missing;
    lookedAtNanos = monotonicNanos;
    if (missing == 0) {
      setBackNanos = 0;
    } else if (back > MATTERS_NANOS && missing > MATTERS_NANOS) {
      setBackNanos = missing;
      log.warn(
          "this host's clock was set back: for the next {} Kafka's clients may stand still, and the"
              + " enforcer with them; /health/live says so when it must be restarted",
          ClockWords.text(missing));
    }
  }

  synchronized void forget() {
    missingNanos = 0;
    setBackNanos = 0;
  }

  synchronized Optional<String> standstill(long monotonicNanos) {
    return setBackNanos > 0 && left(monotonicNanos) > 0
        ? Optional.of(
            "this host's clock was set back by %s while the enforcer ran, and Kafka's clients stand still until it is where it was: restart the enforcer"
                .formatted(ClockWords.text(setBackNanos)))
        : Optional.empty();
  }

  private long left(long monotonicNanos) {
    return Math.max(0, missingNanos - (monotonicNanos - lookedAtNanos));
  }
}
