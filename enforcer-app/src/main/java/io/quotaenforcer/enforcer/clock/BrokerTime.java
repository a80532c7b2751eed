package io.quotaenforcer.enforcer.clock;

import java.util.List;

/** The time of the brokers. */
interface BrokerTime extends AutoCloseable {
  /** The brokers' answer. */
  sealed interface Answer {
    /** The time of at least one broker. */
    record Told(List<TimeSample> samples) implements Answer {
      public Told {
        samples = List.copyOf(samples);
        if (samples.isEmpty()) {
          throw new IllegalArgumentException("must not be empty: samples");
        }
      }
    }

    /**
     * The brokers do not reveal their time.
     *
     * @param why includes the remedy
     */
    record Untold(String why) implements Answer {}

    /** No broker answered in time. */
    record Silent(String why) implements Answer {}
  }

  /** Asks them; waits for an answer for two seconds at most. */
  Answer ask();

  @Override
  void close();
}
