package io.quotaenforcer.enforcer.clock;

import java.util.List;

/** The time of the brokers. */
interface BrokerTime extends AutoCloseable {
  /** What they say. */
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
     * They do not tell their time.
     *
     * @param why with what to do about it
     */
    record Untold(String why) implements Answer {}

    /** None answered in time. */
    record Silent(String why) implements Answer {}
  }

  /** Asks them; waits for an answer for two seconds at most. */
  Answer ask();

  @Override
  void close();
}
