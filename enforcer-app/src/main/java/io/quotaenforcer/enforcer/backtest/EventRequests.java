package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The requests of the request events topic, whatever their outcome and whoever counted them. Events
 * from before the requested time are skipped.
 */
public final class EventRequests implements Consumer<ConsumerRecord<byte[], byte[]>> {
  /** An event further ahead of the clock comes from a broken clock. */
  private static final Duration MOST_AHEAD = Duration.ofHours(1);

  private final Wire wire;
  private final long fromMicros;
  private final long untilMicros;
  private final Backtest backtest;
  private final InputTally tally;
  private final Consumer<RequestEvent> heard;
  private final RecentIds ids = new RecentIds();

  /**
   * Requests from a time on.
   *
   * @param now the time now
   * @param heard each event that the back-test is given
   */
  public EventRequests(
      Wire wire, Instant from, Instant now, Backtest backtest, Consumer<RequestEvent> heard) {
    this.wire = wire;
    this.fromMicros = micros(from);
    this.untilMicros = micros(now.plus(MOST_AHEAD));
    this.backtest = backtest;
    this.heard = heard;
    this.tally = new InputTally(wire.topics().requestEvents().name(), "events");
  }

  /**
   * The time to order events by: no event is later than its record's append time, and an unreadable
   * event holds up nothing.
   */
  public long timeMillis(ConsumerRecord<byte[], byte[]> record) {
    try {
      long micros = wire.decodeEvent(record.value()).timeMicros();
      return Math.min(Math.floorDiv(micros, 1_000L), record.timestamp());
    } catch (RuntimeException e) {
      return Long.MIN_VALUE;
    }
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    RequestEvent event;
    try {
      event = wire.decodeEvent(record.value());
    } catch (RuntimeException e) {
      tally.unreadable(place(record), String.valueOf(e.getMessage()));
      return;
    }
    if (event.timeMicros() < fromMicros) {
      return;
    }
    if (event.timeMicros() > untilMicros) {
      tally.unreadable(
          place(record), "must not be of the future: timeMicros=" + event.timeMicros());
    } else if (ids.add(event.id())) {
      tally.request(event.request());
      heard.accept(event);
      backtest.add(event.request(), TimeUnit.MICROSECONDS.toNanos(event.timeMicros()));
    } else {
      tally.repeated();
    }
  }

  public BacktestInput input() {
    return tally.input();
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.partition() + "-" + record.offset();
  }

  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + time.getNano() / 1_000;
  }
}
