package io.quotaenforcer.enforcer;

import io.quotaenforcer.server.Health;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when an enforcer becomes ready, stops being ready, is ready again, and when it stood still:
 * one line for each, however often it looks. States that end before the next look are not logged.
 */
final class HealthLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HealthLog.class);

  /** How many looks in a row must see the same cause of waiting before it is logged. */
  private static final int LOOKS = 3;

  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*");

  /** A group takes an enforcer that is silent for about as long for gone. */
  private static final long STANDSTILL_NANOS = 5_000_000_000L;

  /** A start that takes longer is worth a look. */
  static final long LONG_START_NANOS = 60_000_000_000L;

  private final Supplier<Health> health;
  private final IntSupplier partitions;
  private final long startNanos;
  private final EverySecond looks = new EverySecond("quota-health", () -> look(System.nanoTime()));
  private boolean wasReady;
  private boolean saidLong;
  private boolean saidAway;
  private @Nullable Long awaySinceNanos;
  private @Nullable Long lookedNanos;

  /** The cause of waiting that the last looks saw, without its numbers. */
  private String waitedFor = "";

  /** How many looks in a row saw it. */
  private int seen;

  private final Set<String> said = new HashSet<>();

  /**
   * @param partitions that the enforcer has
   * @param startNanos when it was started, monotonic
   */
  HealthLog(Supplier<Health> health, IntSupplier partitions, long startNanos) {
    this.health = health;
    this.partitions = partitions;
    this.startNanos = startNanos;
  }

  /** Begins to look. */
  HealthLog start() {
    looks.start();
    return this;
  }

  /** Looks once. */
  void look(long nowNanos) {
    Long before = lookedNanos;
    lookedNanos = nowNanos;
    if (before != null && nowNanos - before > STANDSTILL_NANOS) {
      log.warn(
          "this process stood still for {}: it was paused, or had no processor; others may have its"
              + " partitions",
          seconds(nowNanos - before));
    }
    Health now = health.get();
    if (now instanceof Health.Ready) {
      ready(nowNanos);
    } else if (wasReady) {
      away(now, nowNanos);
    } else if (!saidLong && nowNanos - startNanos >= LONG_START_NANOS) {
      saidLong = true;
      log.warn("not ready {} after the start: {}", seconds(nowNanos - startNanos), words(now));
    } else if (isNews(now)) {
      log.info("waiting, {} after the start: {}", seconds(nowNanos - startNanos), words(now));
    }
  }

  /** Whether something else is waited for than was said so far, for a while. */
  private boolean isNews(Health now) {
    String kind = NUMBER.matcher(words(now)).replaceAll("");
    seen = kind.equals(waitedFor) ? seen + 1 : 1;
    waitedFor = kind;
    return seen >= LOOKS && said.add(kind);
  }

  private void ready(long nowNanos) {
    Long since = awaySinceNanos;
    if (!wasReady) {
      wasReady = true;
      log.info(
          "ready {} after the start, with {} partitions",
          seconds(nowNanos - startNanos),
          partitions.getAsInt());
    } else if (saidAway && since != null) {
      log.info(
          "ready again after {}, with {} partitions",
          seconds(nowNanos - since),
          partitions.getAsInt());
    }
    awaySinceNanos = null;
    saidAway = false;
    said.clear();
    seen = 0;
  }

  private void away(Health now, long nowNanos) {
    boolean news = isNews(now);
    Long since = awaySinceNanos;
    if (since == null) {
      awaySinceNanos = nowNanos;
    } else if (!saidAway) {
      saidAway = true;
      said.add(waitedFor);
      log.warn("not ready, nothing is granted at some partitions or all: {}", words(now));
    } else if (news) {
      log.info("still not ready, after {}: {}", seconds(nowNanos - since), words(now));
    }
  }

  private static String words(Health health) {
    if (health instanceof Health.Starting starting) {
      return starting.reason();
    }
    if (health instanceof Health.Failing failing) {
      return failing.reason();
    }
    return health instanceof Health.Failed failed ? failed.reason() : "ready";
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  @Override
  public void close() {
    looks.close();
  }
}
