package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.util.List;

/**
 * Options for running a log.
 *
 * @param domain of the rules
 * @param rules as their file has them, unpublished
 * @param instances that the lines are dealt to in turn
 * @param speed how many times as fast as it was made
 * @param maxWait real time that a request waits at most for the enforcer's answer; zero: each is
 *     decided at once
 */
public record LogRunOptions(
    String domain, List<Rule> rules, int instances, long speed, Duration maxWait) {
  public static final int MAX_INSTANCES = 64;
  public static final long MAX_SPEED = 100_000;

  /** Default wait of requests that may wait. */
  public static final Duration USUAL_WAIT = Duration.ofSeconds(5);

  public LogRunOptions {
    rules = List.copyOf(rules);
    if (instances < 1 || instances > MAX_INSTANCES) {
      throw new IllegalArgumentException(
          "must be a whole number from 1 to " + MAX_INSTANCES + ": --instances=" + instances);
    }
    if (speed < 1 || speed > MAX_SPEED) {
      throw new IllegalArgumentException(
          "must be a whole number from 1 to " + MAX_SPEED + ": --speed=" + speed);
    }
  }
}
