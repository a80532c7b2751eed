package io.quotaenforcer.lab.outage;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Notes when a fault begins and ends. */
final class Stage {
  private final Fault fault;
  private final long calmMicros = nowMicros();
  private long begunMicros;
  private long endedMicros;

  /**
   * Times of one fault, in epoch microseconds.
   *
   * @param calmMicros from when on nothing else went wrong
   * @param fromMicros when it began
   * @param untilMicros when it ended
   * @param endMicros until when nothing else was changed
   */
  record Times(Fault fault, long calmMicros, long fromMicros, long untilMicros, long endMicros) {}

  /** Calm begins. */
  Stage(Fault fault) {
    this.fault = fault;
  }

  void begin() {
    begunMicros = nowMicros();
  }

  void end() {
    endedMicros = nowMicros();
  }

  /** The times noted; to be called when everything that follows from the fault could be seen. */
  Times times() {
    return new Times(fault, calmMicros, begunMicros, endedMicros, nowMicros());
  }

  static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
