package io.quotaenforcer.client.replay;

import java.time.Duration;
import java.util.Optional;

/**
 * How replays are run.
 *
 * @param concurrency most replays that are handled at once
 * @param maxAttempts handlings after which a replay is given up, and becomes a dead letter with the
 *     last reason; counted by one instance, so that a replay that moves to another starts anew
 * @param group consumer group whose members share the replays of all of the client's domains; if
 *     empty, what {@code replay.group} says: one for each domain unless it is set
 * @param maxWaitForOtherRules how long a replay waits for permits of the rules that it has not paid
 *     before it asks for them again; it keeps its order meanwhile
 */
public record ReplayOptions(
    int concurrency, int maxAttempts, Optional<String> group, Duration maxWaitForOtherRules) {
  /** Eight at once, ten attempts, the groups of {@code replay.group}, five seconds. */
  public static final ReplayOptions DEFAULTS =
      new ReplayOptions(8, 10, Optional.empty(), Duration.ofSeconds(5));

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

  public ReplayOptions withConcurrency(int newConcurrency) {
    return new ReplayOptions(newConcurrency, maxAttempts, group, maxWaitForOtherRules);
  }

  public ReplayOptions withMaxAttempts(int newMaxAttempts) {
    return new ReplayOptions(concurrency, newMaxAttempts, group, maxWaitForOtherRules);
  }

  public ReplayOptions withGroup(String newGroup) {
    return new ReplayOptions(concurrency, maxAttempts, Optional.of(newGroup), maxWaitForOtherRules);
  }

  public ReplayOptions withMaxWaitForOtherRules(Duration newMaxWait) {
    return new ReplayOptions(concurrency, maxAttempts, group, newMaxWait);
  }
}
