package io.quotaenforcer.bench.decision;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** All that one run has timed. */
final class Timings {
  /**
   * Bytes that count as none: allocations of the process's other threads are counted too, and an
   * object has at least 16 bytes.
   */
  private static final double NOTHING_BYTES = 1;

  private static final double TIMES_FASTER_THAN_PEER = 3;
  private static final double SENTINEL_SHARE = 1.0 / 3;
  private static final double MOST_BYTES_OF_DECISION = 100;
  private static final double MOST_THROTTLED = 2;
  private static final double MOST_EMIT_NANOS = 200;
  private static final double MOST_FILTER_NANOS = 2_000;
  private static final double MOST_CONTENDED = 2;

  /** Of a decision with classes, slots or a pool, in those of a plain one. */
  private static final double MOST_BESIDE_PLAIN = 1.5;

  private final List<Timing> timings;

  Timings(List<Timing> timings) {
    this.timings = List.copyOf(timings);
  }

  List<Timing> all() {
    return timings;
  }

  /** The targets, as far as their cases were timed. */
  Targets targets() {
    Targets targets = new Targets();
    both(
        of(Measured.BALANCED, 1),
        fastestPeer(Group.ONE_KEY, 1),
        (own, peer) ->
            targets.atLeast(
                "handle, balanced, times faster than " + peer.measured().subject(),
                peer.nanos() / own.nanos(),
                TIMES_FASTER_THAN_PEER));
    nothingAllocated(targets, Measured.BALANCED);
    both(
        of(Measured.STRICT, 1),
        fastestPeer(Group.ONE_KEY, 1),
        (own, peer) ->
            targets.atMost(
                "handle, strict, times as long as " + peer.measured().subject(),
                own.nanos() / peer.nanos(),
                1));
    nothingAllocated(targets, Measured.STRICT);
    besidePlain(targets, Measured.OF_CLASS, Measured.BALANCED);
    besidePlain(targets, Measured.SLOTS, Measured.STRICT);
    besidePlain(targets, Measured.ELASTIC, Measured.PLAIN);
    besidePlain(targets, Measured.BORROWING, Measured.PLAIN);
    both(
        of(Measured.LAYERED, 1),
        of(Measured.SENTINEL, 1),
        (own, sentinel) ->
            targets.atMost(
                "decide, 3 layered rules, of Sentinel's entry for one",
                own.nanos() / sentinel.nanos(),
                SENTINEL_SHARE));
    of(Measured.LAYERED_REUSED, 1)
        .ifPresent(
            own ->
                targets.atMost(
                    "decide, 3 layered rules, bytes beside the request's",
                    own.bytes(),
                    MOST_BYTES_OF_DECISION));
    nothingAllocated(targets, Measured.LAYERED_ACQUIRED);
    both(
        of(Measured.THROTTLED, 1),
        of(Measured.BALANCED, 1),
        (throttled, admitted) ->
            targets.atMost(
                "handle, throttled, times as long as admitted",
                throttled.nanos() / admitted.nanos(),
                MOST_THROTTLED));
    of(Measured.EMIT, 1).ifPresent(own -> targets.atMost("emit, ns", own.nanos(), MOST_EMIT_NANOS));
    of(Measured.FILTER, 1)
        .ifPresent(own -> targets.atMost("servlet filter, ns", own.nanos(), MOST_FILTER_NANOS));
    both(
        of(Measured.BALANCED, 2),
        of(Measured.BALANCED, 1),
        (two, one) ->
            targets.atMost(
                "handle, balanced, two threads, times as long as one",
                two.nanos() / one.nanos(),
                MOST_CONTENDED));
    timings.stream()
        .filter(timing -> !timing.measured().isLive())
        .mapToDouble(Timing::unexpectedShare)
        .max()
        .ifPresent(
            share ->
                targets.atMost(
                    "requests answered otherwise than the case asks, without an enforcer, %",
                    100 * share, 100 * Timing.MOST_UNEXPECTED));
    return targets;
  }

  /** A line for each case and limiter. */
  List<String> describe() {
    TextTable table =
        TextTable.ofFigures(
            "case",
            "ns, 1 thread",
            "of processor",
            "of fastest peer",
            "B",
            "ns, 2 threads",
            "of fastest peer");
    for (Measured measured : measured()) {
      Optional<Timing> one = of(measured, 1);
      Optional<Timing> two = of(measured, 2);
      table.row(
          measured.name(),
          one.map(timing -> nanos(timing.nanos())).orElse(""),
          one.map(timing -> nanos(timing.processorNanos())).orElse(""),
          one.map(this::ofFastestPeer).orElse(""),
          one.or(() -> two).map(timing -> "%.0f".formatted(timing.bytes())).orElse(""),
          two.map(timing -> nanos(timing.nanos())).orElse(""),
          two.map(this::ofFastestPeer).orElse(""));
    }
    List<String> lines = new ArrayList<>(table.lines());
    for (Timing timing : timings) {
      if (!timing.isValid()) {
        lines.add(
            "not what the case asks for: %s, %d threads: %.1f %% of requests were answered otherwise"
                .formatted(
                    timing.measured().name(), timing.threads(), 100 * timing.unexpectedShare()));
      }
    }
    return lines;
  }

  private static String nanos(double nanos) {
    return Double.isNaN(nanos) ? "" : (nanos < 100 ? "%.1f" : "%,.0f").formatted(nanos);
  }

  private String ofFastestPeer(Timing timing) {
    return fastestPeer(timing.measured().group(), timing.threads())
        .map(peer -> "%.2f".formatted(timing.nanos() / peer.nanos()))
        .orElse("");
  }

  private Set<Measured> measured() {
    Set<Measured> measured = new LinkedHashSet<>();
    Measured.all().stream()
        .filter(each -> timings.stream().anyMatch(timing -> timing.measured().equals(each)))
        .forEach(measured::add);
    return measured;
  }

  private void besidePlain(Targets targets, Measured measured, Measured plain) {
    both(
        of(measured, 1),
        of(plain, 1),
        (own, other) ->
            targets.atMost(
                "%s, times the processor time of %s".formatted(measured.subject(), plain.subject()),
                own.processorNanos() / other.processorNanos(),
                MOST_BESIDE_PLAIN));
    nothingAllocated(targets, measured);
  }

  private void nothingAllocated(Targets targets, Measured measured) {
    of(measured, 1)
        .ifPresent(own -> targets.atMost(measured.name() + ", bytes", own.bytes(), NOTHING_BYTES));
  }

  private static void both(
      Optional<Timing> one, Optional<Timing> other, BiConsumer<Timing, Timing> use) {
    one.ifPresent(first -> other.ifPresent(second -> use.accept(first, second)));
  }

  private Optional<Timing> of(Measured measured, int threads) {
    return timings.stream()
        .filter(timing -> timing.measured().equals(measured) && timing.threads() == threads)
        .findFirst();
  }

  private Optional<Timing> fastestPeer(Group group, int threads) {
    return timings.stream()
        .filter(timing -> timing.measured().peer() && timing.isValid())
        .filter(timing -> timing.measured().group() == group && timing.threads() == threads)
        .min(Comparator.comparingDouble(Timing::nanos));
  }
}
