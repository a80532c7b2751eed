package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.enforcer.verdict.KeyTable;
import java.util.List;

/**
 * What there is for instances to use.
 *
 * @param bootstrapServers where Kafka is
 * @param centralPort where the central store is, on loopback
 * @param trials in the same order in every process
 * @param keys a number for the quota key of each trial, the same in every process
 */
public record Site(String bootstrapServers, int centralPort, List<Trial> trials, KeyTable keys) {

  /** Trials in the same order have the same numbers. */
  public static Site of(String bootstrapServers, int centralPort, List<Trial> trials) {
    KeyTable keys = new KeyTable(trials.stream().map(Trial::rule).toList());
    trials.forEach(trial -> keys.of(trial.quotaKey()));
    return new Site(bootstrapServers, centralPort, List.copyOf(trials), keys);
  }

  /** Number of a trial's quota key. */
  int key(Trial trial) {
    return keys.of(trial.quotaKey()).id();
  }
}
