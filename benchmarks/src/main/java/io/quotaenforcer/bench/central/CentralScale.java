package io.quotaenforcer.bench.central;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param warmUp of each way to decide, before any is measured
 * @param leadIn of each round: an admission client asks for permits that it then holds
 * @param round how long a way is measured with so many threads at a time
 */
record CentralScale(Duration warmUp, Duration leadIn, Duration round) {
  static final CentralScale FULL =
      new CentralScale(Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMillis(1_200));
  static final CentralScale QUICK =
      new CentralScale(Duration.ofMillis(500), Duration.ofMillis(250), Duration.ofMillis(250));

  /** All are measured in turn so often, so that what else the machine does hits all of them. */
  static final int ROUNDS = 3;

  /** In all rounds. */
  static CentralScale of(Duration each) {
    return new CentralScale(each, each.dividedBy(ROUNDS), each.dividedBy(ROUNDS));
  }
}
