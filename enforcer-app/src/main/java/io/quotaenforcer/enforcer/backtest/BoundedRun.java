package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.enforcer.backtest.EventBacktests.Audience;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Bounds;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Question;
import io.quotaenforcer.enforcer.backtest.EventsReport.Seen;
import io.quotaenforcer.enforcer.backtest.EventsReport.Stop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** How far a back-test is, whether it may go on, and when it must rest. One thread at a time. */
final class BoundedRun {
  private static final int RECORDS_BETWEEN_RESTS = 500;
  private static final long TELL_NANOS = 250_000_000L;

  private final Question question;
  private final Bounds bounds;
  private final Audience audience;
  private final LongSupplier nanos;
  private final LongConsumer rest;
  private final long startNanos;
  private long workNanos;
  private long toldNanos;
  private long records;
  private long lastMicros;
  private Stop stop = Stop.NONE;

  /**
   * @param nanos a monotonic clock
   * @param rest waits for so many nanoseconds
   */
  BoundedRun(
      Question question, Bounds bounds, Audience audience, LongSupplier nanos, LongConsumer rest) {
    this.question = question;
    this.bounds = bounds;
    this.audience = audience;
    this.nanos = nanos;
    this.rest = rest;
    startNanos = nanos.getAsLong();
    workNanos = startNanos;
    toldNanos = startNanos;
    lastMicros = TimeUnit.MILLISECONDS.toMicros(question.from().toEpochMilli());
  }

  /** An event of the span was read. */
  void heard(long timeMicros) {
    lastMicros = Math.max(lastMicros, timeMicros);
  }

  /** A record was read, of the span or not. */
  void read() {
    records++;
    if (records % RECORDS_BETWEEN_RESTS == 0) {
      // The processors have other work, and what it costs is at most one half of one of them.
      rest.accept(nanos.getAsLong() - workNanos);
      workNanos = nanos.getAsLong();
    }
  }

  boolean goesOn() {
    long now = nanos.getAsLong();
    if (stop != Stop.NONE) {
      return false;
    }
    if (!audience.waits()) {
      stop = Stop.LEFT;
    } else if (records >= bounds.events()) {
      stop = Stop.EVENTS;
    } else if (now - startNanos >= bounds.time().toNanos()) {
      stop = Stop.TIME;
    } else if (now - toldNanos >= TELL_NANOS) {
      toldNanos = now;
      audience.hears(records, share());
    }
    return stop == Stop.NONE;
  }

  private double share() {
    double span = Duration.between(question.from(), question.now()).toNanos() / 1e3;
    long from = TimeUnit.MILLISECONDS.toMicros(question.from().toEpochMilli());
    return Math.min(1, Math.max(0, (lastMicros - from) / span));
  }

  Seen seen() {
    return new Seen(
        question.from(),
        question.now(),
        stop == Stop.NONE ? 1 : share(),
        stop,
        Duration.ofNanos(nanos.getAsLong() - startNanos));
  }
}
