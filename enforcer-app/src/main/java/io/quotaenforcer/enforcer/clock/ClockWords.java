package io.quotaenforcer.enforcer.clock;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what an operator should know about the clock, once per change. */
final class ClockWords {
  private static final Logger log = LoggerFactory.getLogger(ClockWords.class);

  private final String tolerance;
  private State said = State.NOTHING;

  private enum State {
    NOTHING,
    AGREES,
    HOST_DIFFERS,
    DIFFERS,
    UNKNOWN
  }

  ClockWords(long toleranceNanos) {
    this.tolerance = text(toleranceNanos);
  }

  void agrees(long hostAheadNanos, boolean hostAgrees) {
    State now = hostAgrees ? State.AGREES : State.HOST_DIFFERS;
    if (now != said && now == State.HOST_DIFFERS) {
      log.warn(
          "this host's clock is {} the brokers'; the enforcer goes on by the time that it knows,"
              + " but will not start again before the host's clock is set",
          apart(hostAheadNanos));
    } else if (now != said && said != State.NOTHING) {
      log.info(
          said == State.DIFFERS
              ? "the clock agrees with the brokers' again: permits are granted"
              : "this host's clock agrees with the brokers'");
    }
    said = now;
  }

  void follows(long aheadNanos) {
    log.warn(
        "the enforcer's time was {} the brokers', since this host was suspended or its clock was"
            + " set; it goes on by the host's clock, which agrees with them",
        apart(aheadNanos));
    said = State.AGREES;
  }

  /** The reason for which nothing is granted. */
  String differs(long aheadNanos) {
    String reason = differs(aheadNanos, tolerance);
    if (said != State.DIFFERS) {
      log.error("{}", reason);
    }
    said = State.DIFFERS;
    return reason;
  }

  static String differs(long aheadNanos, String tolerance) {
    return "this host's clock is %s the brokers', and may differ by %s (half of max.clock.skew): set it, or theirs if that is wrong; nothing is granted until then"
        .formatted(apart(aheadNanos), tolerance);
  }

  void cannotBeCompared(String why) {
    if (said != State.UNKNOWN) {
      log.warn(
          "the clock of this host is believed without a comparison with the brokers': {}", why);
    }
    said = State.UNKNOWN;
  }

  private static String apart(long aheadNanos) {
    return text(Math.abs(aheadNanos)) + (aheadNanos > 0 ? " ahead of" : " behind");
  }

  /** Seconds, rounded for a reader. */
  static String text(long nanos) {
    Duration length = Duration.ofNanos(nanos);
    return length.compareTo(Duration.ofSeconds(10)) < 0
        ? length.toMillis() + " ms"
        : length.plusMillis(500).toSeconds() + " s";
  }
}
