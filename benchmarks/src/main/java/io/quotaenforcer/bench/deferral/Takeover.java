package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.restore.EnforcerChild;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** The time from a kill until requests that were deferred after it are released. */
final class Takeover {
  private static final Duration AT_MOST = Duration.ofMinutes(15);
  private static final long PROBE_EVERY_NANOS = 100_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Wire wire;
  private final String bootstrapServers;
  private final Deferrer deferrer;
  private final Map<Integer, String> users = new HashMap<>();

  Takeover(Wire wire, String bootstrapServers, Deferrer deferrer) {
    this.wire = wire;
    this.bootstrapServers = bootstrapServers;
    this.deferrer = deferrer;
    for (int i = 0; users.size() < DeferralScale.PARTITIONS; i++) {
      users.putIfAbsent(key("probe-" + i).partition(DeferralScale.PARTITIONS), "probe-" + i);
    }
  }

  /**
   * Kills an enforcer; seconds until each partition has released something.
   *
   * @param successor is called right after the kill
   */
  double seconds(EnforcerChild killed, Callable<EnforcerChild> successor) throws Exception {
    Set<Integer> released = ConcurrentHashMap.newKeySet();
    String prefix = "after-" + killed.pid() + "-";
    try (ReplayTail tail =
        new ReplayTail(wire, bootstrapServers, replay -> note(replay, prefix, released))) {
      long killedAt = System.nanoTime();
      killed.close();
      Probes probes = new Probes(prefix);
      successor
          .call()
          .await(
              "releases after a kill",
              AT_MOST,
              () -> {
                probes.send();
                return released.size() == DeferralScale.PARTITIONS;
              });
      return (System.nanoTime() - killedAt) / NANOS_PER_SECOND;
    }
  }

  private static void note(Replay replay, String prefix, Set<Integer> released) {
    if (replay.id().startsWith(prefix)) {
      released.add(replay.quotaKey().partition(DeferralScale.PARTITIONS));
    }
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(BenchRules.PROBED, List.of(user));
  }

  /** A request for each partition every now and then. */
  private final class Probes {
    private final String prefix;
    private long next = System.nanoTime();
    private int sent;

    Probes(String prefix) {
      this.prefix = prefix;
    }

    void send() {
      if (System.nanoTime() - next < 0) {
        return;
      }
      next += PROBE_EVERY_NANOS;
      sent++;
      users.forEach(
          (partition, user) -> deferrer.defer(prefix + partition + "-" + sent, key(user), user));
    }
  }
}
