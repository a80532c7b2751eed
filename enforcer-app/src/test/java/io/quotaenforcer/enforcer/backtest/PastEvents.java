package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Bounds;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Request events in memory, as a topic would have them. */
public final class PastEvents {
  public static final long MOST = 2_000;

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final List<ConsumerRecord<byte[], byte[]>> records = new CopyOnWriteArrayList<>();
  private volatile boolean isEndless;
  private volatile boolean isRunning;

  /** Counted down when a run ends. */
  private volatile CountDownLatch ended = new CountDownLatch(1);

  /** Adds a request of a user. */
  public void add(String user, long epochMillis, Outcome outcome) {
    RequestEvent event =
        new RequestEvent(
            "id-" + records.size(),
            Request.of("user", user),
            epochMillis * 1_000,
            outcome,
            CountedBy.CLIENT,
            "web");
    records.add(
        new ConsumerRecord<>(
            wire.topics().requestEvents().name(), 0, records.size(), null, wire.encode(event)));
  }

  /** Runs go on until nobody waits for them. */
  public void goOnForever() {
    isEndless = true;
    ended = new CountDownLatch(1);
  }

  public boolean isRunning() {
    return isRunning;
  }

  public boolean isEnded() {
    return ended.getCount() == 0;
  }

  /** Runs on these events, within small bounds. */
  public EventBacktests backtests() {
    return new EventBacktests(this::read, wire, new Bounds(MOST, Duration.ofSeconds(30)));
  }

  private void read(
      long sinceMillis,
      ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink,
      BooleanSupplier goesOn) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (goesOn.getAsBoolean()) {
        sink.accept(record);
      }
    }
    isRunning = true;
    while (isEndless && goesOn.getAsBoolean()) {
      Thread.onSpinWait();
    }
    ended.countDown();
  }
}
