package io.quotaenforcer.client;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.rule.GivenUp;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of conditions that counted as met because they were given up: to telemetry once a second,
 * to the log once a minute for each. For one thread at a time.
 */
final class GivenUpMatches {
  private static final Logger log = LoggerFactory.getLogger(GivenUpMatches.class);
  private static final long TOLD_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOGGED_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Supplier<Map<GivenUp, Long>> source;
  private final ClientTelemetry telemetry;

  /** When each may be logged again; as many at most as there are conditions. */
  private final Map<GivenUp, Long> loggedNanos = new HashMap<>();

  private final Map<GivenUp, Long> unlogged = new HashMap<>();
  private boolean told;
  private long toldNanos;

  /**
   * @param source how often there were such since it was asked last
   */
  GivenUpMatches(Supplier<Map<GivenUp, Long>> source, ClientTelemetry telemetry) {
    this.source = source;
    this.telemetry = telemetry;
  }

  /** To be called often. */
  void tick(long now) {
    if (told && now - toldNanos < TOLD_EVERY_NANOS) {
      return;
    }
    told = true;
    toldNanos = now;
    tellAll(now);
  }

  /** However lately it was told. */
  void tellAll(long now) {
    source
        .get()
        .forEach(
            (where, times) -> {
              telemetry.matchGivenUp(where.rule(), where.attribute(), times);
              unlogged.merge(where, times, Long::sum);
            });
    unlogged.entrySet().removeIf(each -> log(each.getKey(), each.getValue(), now));
  }

  private boolean log(GivenUp where, long times, long now) {
    Long before = loggedNanos.get(where);
    if (before != null && now - before < LOGGED_EVERY_NANOS) {
      return false;
    }
    loggedNanos.put(where, now);
    log.warn(
        "rule {} was taken to match {} requests whose {} is too long for its expression, or takes it"
            + " too many steps",
        where.rule(),
        times,
        where.attribute());
    return true;
  }
}
