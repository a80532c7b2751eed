package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.schemas.codec.CodecException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.StreamsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records whose schema may have to be fetched from a registry. While the registry is
 * unavailable the records are not at fault: the thread waits for some seconds, and then fails, so
 * that its transaction ends and its successor reads the record again. Health says so meanwhile.
 */
public final class RegistryPatience {
  private static final Logger log = LoggerFactory.getLogger(RegistryPatience.class);

  private static final Duration PAUSE = Duration.ofMillis(250);

  /** Well within what Kafka gives a thread before it takes its partitions away. */
  private static final int MOST_PAUSES = 20;

  private final LongConsumer sleep;

  /** Waits by real time. */
  public RegistryPatience() {
    this(LockSupport::parkNanos);
  }

  RegistryPatience(LongConsumer sleep) {
    this.sleep = sleep;
  }

  /**
   * Reads a record.
   *
   * @throws StreamsException when the registry stays away
   */
  public <T> T read(Supplier<T> decode) {
    for (int pauses = 0; ; pauses++) {
      try {
        return decode.get();
      } catch (CodecException e) {
        if (!e.isRetriable()) {
          throw e;
        }
        if (pauses == MOST_PAUSES) {
          throw new StreamsException("a record cannot be read yet: " + e.getMessage(), e);
        }
        if (pauses == 0) {
          log.warn("a record cannot be read yet, and is tried again: {}", e.getMessage());
        }
        sleep.accept(PAUSE.toNanos());
      }
    }
  }
}
