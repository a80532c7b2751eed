package io.quotaenforcer.enforcer.topology;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether answers to instances can be sent. Safe for use by any number of threads. */
final class AnswerDelivery {
  /** Failures that go on for less than this are healed by the next report. */
  static final long MANY_NANOS = 2_000_000_000L;

  /** What failed longer ago says nothing of now: nobody may have reported since. */
  static final long FORGET_NANOS = 10_000_000_000L;

  private volatile @Nullable Failing failing;

  private record Failing(long sinceNanos, long lastNanos, Throwable cause) {}

  void sent() {
    if (failing != null) {
      failing = null;
    }
  }

  void failed(Throwable cause, long nowNanos) {
    Failing before = failing;
    long since =
        before != null && nowNanos - before.lastNanos < FORGET_NANOS ? before.sinceNanos : nowNanos;
    failing = new Failing(since, nowNanos, cause);
  }

  /** Why no answer goes out; empty when they do, or none was to be sent. */
  Optional<String> trouble(long nowNanos) {
    Failing now = failing;
    if (now == null
        || nowNanos - now.sinceNanos < MANY_NANOS
        || nowNanos - now.lastNanos >= FORGET_NANOS) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "no answer could be sent for %.1f s: %s",
            (nowNanos - now.sinceNanos) / 1e9,
            now.cause));
  }
}
