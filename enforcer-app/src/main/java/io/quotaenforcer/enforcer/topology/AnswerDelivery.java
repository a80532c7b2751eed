package io.quotaenforcer.enforcer.topology;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tracks whether answers to instances can be sent. Safe for use by any number of threads. */
final class AnswerDelivery {
  /** The next report makes up for failures shorter than this. */
  static final long MANY_NANOS = 2_000_000_000L;

  /** Older failures say nothing of the present: there may have been no reports since. */
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

  /** Why no answer goes out; empty if answers do, or none was due. */
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
