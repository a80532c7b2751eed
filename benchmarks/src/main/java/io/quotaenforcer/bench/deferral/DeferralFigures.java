package io.quotaenforcer.bench.deferral;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured.
 *
 * @param enqueuePerSec deferred requests that the enforcer took and committed
 * @param idle ticks while all waited
 * @param heap of the enforcer
 * @param restore null if nobody was killed
 * @param releasePerSec replays that a service saw and acknowledged, in the middle of all
 * @param steady outflow of a rule with {@code release: steady}
 * @param windowed outflow of a fixed window, as quota frees
 */
record DeferralFigures(
    DeferralScale scale,
    double enqueuePerSec,
    IdleTicks idle,
    Heap heap,
    @Nullable Restore restore,
    double releasePerSec,
    OutflowShape steady,
    OutflowShape windowed) {
  static final double MOST_IDLE_TICK_MS = 1;
  static final double LEAST_RELEASES_PER_SEC = 20_000;

  /** Milliseconds of a partition's idle tick, and how many there were. */
  record IdleTicks(double p50, double p99, long ticks) {}

  /** MiB in use after a collection: before anything waited, and when everything did. */
  record Heap(double empty, double waiting) {}

  /** Seconds from a kill until every partition released again. */
  record Restore(double withoutStandby, double withStandby) {}

  /** Targets that were missed, in words. */
  List<String> missed() {
    List<String> missed = new ArrayList<>();
    if (!(idle.p99 < MOST_IDLE_TICK_MS)) {
      missed.add(text("idleTickMs p99 must be < %.0f: %.2f", MOST_IDLE_TICK_MS, idle.p99));
    }
    if (!(releasePerSec >= LEAST_RELEASES_PER_SEC)) {
      missed.add(
          text("releasePerSec must be >= %,.0f: %,.0f", LEAST_RELEASES_PER_SEC, releasePerSec));
    }
    return missed;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "%,d requests of %,d bytes wait for %,d quota keys",
            scale.requests(), DeferralScale.PAYLOAD_BYTES, scale.keys()));
    lines.add(text("enqueued: %,.0f/s", enqueuePerSec));
    lines.add(text("idle tick: p50 %.2f ms, p99 %.2f ms of %d", idle.p50, idle.p99, idle.ticks));
    lines.add(text("live heap: %.1f MiB, with nothing waiting %.1f", heap.waiting, heap.empty));
    if (restore != null) {
      lines.add(
          text(
              "released again after a kill: %.1f s from an empty disk, %.1f s with a standby copy",
              restore.withoutStandby, restore.withStandby));
    }
    lines.add(text("released: %,.0f/s", releasePerSec));
    lines.add("outflow, steady: " + text(steady));
    lines.add("outflow, fixed window: " + text(windowed));
    missed().forEach(target -> lines.add("missed: " + target));
    return lines;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("configuration", scale.toJson());
    json.put("enqueuePerSec", enqueuePerSec);
    json.put("releasePerSec", releasePerSec);
    json.put("idleTickMs", Map.of("p50", idle.p50, "p99", idle.p99, "ticks", idle.ticks));
    // As named by those who compare runs; at another scale it is that scale's.
    json.put("heapMbAt1M", heap.waiting);
    json.put("heapMbAt0", heap.empty);
    if (restore != null) {
      json.put(
          "restoreSecondsAt1M",
          Map.of("withoutStandby", restore.withoutStandby, "withStandby", restore.withStandby));
    }
    json.put("outflowDeviationPct", steady.deviationPct());
    json.put("outflow", Map.of("steady", steady.toJson(), "windowed", windowed.toJson()));
    json.put("short", missed());
    return json;
  }

  private static String text(OutflowShape shape) {
    return text(
        "within %.1f permits of the straight line; a tenth of a second differs by %.1f %%",
        shape.farthestPermits(), shape.deviationPct());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
