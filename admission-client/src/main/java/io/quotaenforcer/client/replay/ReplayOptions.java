package io.quotaenforcer.client.replay;

import java.time.Duration;
import java.util.Optional;

/**
 * How replays are run. Immutable.
 *
 * @param concurrency most replays that are handled at once, at least 1; each may occupy a thread
 * @param maxAttempts how often a replay is handled before it is given up, at least 1: it becomes a
 *     dead letter with the last reason. Each instance counts by itself, so a replay that moves to
 *     another one starts anew
 * @param group consumer group whose members share the replays of all of the client's domains, not
 *     blank; if empty, the setting {@code replay.group} decides: one for each domain unless it is
 *     set
 * @param maxWaitForOtherRules how long a replay waits for permits of the rules that it has not paid
 *     before it asks for them again, not negative; it keeps its order meanwhile
 */
public record ReplayOptions(
    int concurrency, int maxAttempts, Optional<String> group, Duration maxWaitForOtherRules) {
  /** Eight at once, ten attempts, the groups of {@code replay.group}, five seconds. */
  public static final ReplayOptions DEFAULTS =
      new ReplayOptions(8, 10, Optional.empty(), Duration.ofSeconds(5));

  /**
   * @throws IllegalArgumentException if a value is out of its range
   */
  public ReplayOptions {
    if (concurrency < 1) {
      throw new IllegalArgumentException("must be >= 1: concurrency=" + concurrency);
    }
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("must be >= 1: maxAttempts=" + maxAttempts);
    }
    if (group.isPresent() && group.get().isBlank()) {
      throw new IllegalArgumentException("must not be blank: group=" + group.get());
    }
    if (maxWaitForOtherRules.isNegative()) {
      throw new IllegalArgumentException(
          "must not be negative: maxWaitForOtherRules=" + maxWaitForOtherRules);
    }
  }

  /** The same with another number of replays at once. */
  public ReplayOptions withConcurrency(int newConcurrency) {
    return new ReplayOptions(newConcurrency, maxAttempts, group, maxWaitForOtherRules);
  }

  /** The same with another number of attempts. */
  public ReplayOptions withMaxAttempts(int newMaxAttempts) {
    return new ReplayOptions(concurrency, newMaxAttempts, group, maxWaitForOtherRules);
  }

  /** The same with a consumer group for all of the client's domains. */
  public ReplayOptions withGroup(String newGroup) {
    return new ReplayOptions(concurrency, maxAttempts, Optional.of(newGroup), maxWaitForOtherRules);
  }

  /** The same with another time to wait for the rules that a replay has not paid. */
  public ReplayOptions withMaxWaitForOtherRules(Duration newMaxWait) {
    return new ReplayOptions(concurrency, maxAttempts, group, newMaxWait);
  }
}
