package io.quotaenforcer.client.internal.kafka;

import java.util.concurrent.ThreadLocalRandom;

/** The pause before Kafka is looked for again: longer each time, and not alike at all instances. */
final class LookPause {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 2_000;

  private long nextMillis = FIRST_MILLIS;

  long nextMillis() {
    long pause = nextMillis;
    nextMillis = Math.min(2 * pause, LONGEST_MILLIS);
    return ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
  }

  void reset() {
    nextMillis = FIRST_MILLIS;
  }
}
