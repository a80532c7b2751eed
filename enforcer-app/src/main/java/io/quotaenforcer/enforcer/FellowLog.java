package io.quotaenforcer.enforcer;

import io.quotaenforcer.enforcer.query.EnforcersQuery;
import io.quotaenforcer.enforcer.query.NotReadyException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every second which enforcers share the work: logs who comes and who goes, and remembers for
 * an hour who went, so that one who asks later learns of it, too.
 */
final class FellowLog implements EnforcersQuery, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FellowLog.class);
  private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();
  private static final int MOST_REMEMBERED = 100;

  private final EnforcersQuery query;
  private final LongSupplier monotonicNanos;
  private final EverySecond looks = new EverySecond("quota-fellows", this::look);
  private Set<URI> there = Set.of();

  /** When each was missed first. */
  private final TreeMap<URI, Long> goneNanos = new TreeMap<>();

  /**
   * @param query of the present ones
   */
  FellowLog(EnforcersQuery query, LongSupplier monotonicNanos) {
    this.query = query;
    this.monotonicNanos = monotonicNanos;
  }

  /** Begins to look. */
  FellowLog start() {
    looks.start();
    return this;
  }

  /** Looks once. */
  synchronized void look() {
    Set<URI> now;
    try {
      now = new TreeSet<>(query.enforcers());
    } catch (NotReadyException e) {
      return;
    }
    if (now.isEmpty()) {
      // Partitions are being given out.
      return;
    }
    long nanos = monotonicNanos.getAsLong();
    for (URI enforcer : there) {
      if (!now.contains(enforcer) && goneNanos.size() < MOST_REMEMBERED) {
        goneNanos.put(enforcer, nanos);
        log.warn("{} does not share the work any more; who does: {}", enforcer, now);
      }
    }
    for (URI enforcer : now) {
      if (!there.isEmpty() && !there.contains(enforcer)) {
        log.info("{} shares the work now; all who do: {}", enforcer, now);
      }
    }
    goneNanos.keySet().removeAll(now);
    goneNanos.values().removeIf(since -> nanos - since > REMEMBERED_NANOS);
    there = now;
  }

  @Override
  public List<URI> enforcers() {
    return query.enforcers();
  }

  @Override
  public synchronized List<Gone> gone() {
    long nanos = monotonicNanos.getAsLong();
    return goneNanos.entrySet().stream()
        .map(one -> new Gone(one.getKey(), Duration.ofNanos(nanos - one.getValue()).toSeconds()))
        .toList();
  }

  @Override
  public void close() {
    looks.close();
  }
}
