package io.quotaenforcer.core.adapt;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The newest signal of each instance of a service. An instance that falls silent counts as silent
 * for a minute, then as gone. Bounded: of more instances than {@link #MAX}, those that came last
 * are not kept. Not thread-safe.
 */
public final class InstanceLoads {
  /** Instances that are kept. */
  public static final int MAX = 10_000;

  /** A signal comes once a second; two may be late before its instance counts as silent. */
  public static final long FRESH_NANOS = 3_000_000_000L;

  /** How long an instance is missed. */
  public static final long KNOWN_NANOS = 60_000_000_000L;

  private record Heard(LoadSignal signal, long atNanos) {}

  /** The one that was heard last is last. */
  private final Map<String, Heard> byInstance = new LinkedHashMap<>();

  /**
   * Takes in a signal; one that is older than what is known of its instance changes nothing.
   *
   * @return whether it was kept
   */
  public boolean heard(String instance, LoadSignal signal, long atNanos) {
    Heard before = byInstance.get(instance);
    if (before == null) {
      forget(atNanos);
    }
    if (before == null ? byInstance.size() >= MAX : before.atNanos > atNanos) {
      return false;
    }
    byInstance.remove(instance);
    byInstance.put(instance, new Heard(signal, atNanos));
    return true;
  }

  /** An instance that ends in order is not missed. */
  public void left(String instance) {
    byInstance.remove(instance);
  }

  /** What is known now. */
  public ServiceLoad load(long nowNanos) {
    forget(nowNanos);
    List<LoadSignal> fresh = new ArrayList<>();
    for (Heard heard : byInstance.values()) {
      if (nowNanos - heard.atNanos <= FRESH_NANOS) {
        fresh.add(heard.signal);
      }
    }
    return new ServiceLoad(LoadSignal.mean(fresh), fresh.size(), byInstance.size());
  }

  private void forget(long nowNanos) {
    Iterator<Heard> oldestFirst = byInstance.values().iterator();
    while (oldestFirst.hasNext() && nowNanos - oldestFirst.next().atNanos > KNOWN_NANOS) {
      oldestFirst.remove();
    }
  }
}
