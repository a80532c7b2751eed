package io.quotaenforcer.client.internal;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;

/** Calls that Kafka's newer consumers need in another form than older ones. */
public final class Consumers {
  private Consumers() {}

  /**
   * Leaves the group, if there is one, and closes.
   *
   * @param atMost what it may take
   */
  @SuppressWarnings("deprecation") // What takes its place came with 4.1; services may have 3.9.
  public static void close(Consumer<?, ?> consumer, Duration atMost) {
    consumer.close(atMost);
  }
}
