package io.quotaenforcer.enforcer.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Keeps one row in a store of windows. Such a store consists of segments, in which it records its
 * position in the changelog; without any segment it cannot, and is then taken for a store that was
 * stopped uncleanly: Kafka Streams wipes all stores of its task at each start, and restores them.
 */
public final class NeverEmpty {
  /** Bytes that no text begins with. */
  private static final Bytes ROW = Bytes.wrap(new byte[] {(byte) 0xfe});

  private static final byte[] VALUE = {0};

  /** Not at once: writes while a task begins are part of no commit. */
  private static final Duration SOON = Duration.ofMillis(50);

  private NeverEmpty() {}

  /** Writes the row soon, if there is no other. */
  public static void keep(ProcessorContext<?, ?> context, WindowStore<Bytes, byte[]> store) {
    CompletableFuture<Cancellable> once = new CompletableFuture<>();
    once.complete(
        context.schedule(
            SOON,
            PunctuationType.WALL_CLOCK_TIME,
            timestamp -> {
              once.join().cancel();
              if (isEmpty(store)) {
                store.put(ROW, VALUE, timestamp);
              }
            }));
  }

  /** Whether the store has no rows besides this one. */
  public static boolean isUnused(WindowStore<Bytes, byte[]> store) {
    try (KeyValueIterator<Windowed<Bytes>, byte[]> rows = store.all()) {
      while (rows.hasNext()) {
        if (!rows.next().key.key().equals(ROW)) {
          return false;
        }
      }
      return true;
    }
  }

  private static boolean isEmpty(WindowStore<Bytes, byte[]> store) {
    try (KeyValueIterator<Windowed<Bytes>, byte[]> rows = store.all()) {
      return !rows.hasNext();
    }
  }
}
