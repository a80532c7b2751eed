package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotaenforcer.core.RuleId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The loop from report to answer: how long it takes, and what reports get. */
public final class LoopMetrics {
  /** From a loop without load to one that nobody would wait for. */
  private static final List<Duration> BUCKETS =
      List.of(5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000).stream()
          .map(Duration::ofMillis)
          .toList();

  static final Metric LOOP =
      Metric.histogram(
              "quota.loop",
              "Time from one grant to the next, as instances measure it and report it: the interval"
                  + " of reports and the way there and back. The first request of a quota key under"
                  + " a strict rule waits about as long.")
          .alertWhen("the 99th percentile is above 1 s for 10 minutes");

  static final Metric COMMIT =
      Metric.histogram(
              "quota.commit",
              "How long a stream thread stands still while Kafka commits its transaction. The first"
                  + " request of a quota key under a strict rule waits for one or two of them.")
          .alertWhen("the 99th percentile is above 0.5 s for 10 minutes");

  static final Metric UNCOMMITTED =
      Metric.gauge(
              "quota.uncommitted.age",
              "seconds",
              List.of(),
              "How long the oldest input that was read waits for its commit.")
          .alertWhen("more than 2 s: nothing is granted meanwhile");

  static final Metric WAITING =
      Metric.gauge(
          "quota.reports.waiting",
          "quota keys",
          List.of(),
          "Quota keys of reports that wait for the next commit in order to be granted more.");

  static final Metric ANSWERS =
      Metric.counter(
          "quota.answers",
          "quota keys",
          List.of("domain", "outcome", "rule"),
          "Quota keys of reports by what the ledger says. outcome: granted, it has what it asked"
              + " for; idle, it asked for nothing; waiting, permits are left, and are granted after"
              + " the next commit, when the report is counted again; nothing_left, requests wait,"
              + " and the limit has nothing left.");

  static final Metric TURNED_AWAY =
      Metric.counter(
              "quota.permits.turned.away",
              "permits",
              List.of("domain", "reason", "rule"),
              "Permits of throttled requests although the limit was not used up when the report"
                  + " came; an estimate, part of quota.permits.throttled. reason: not_granted,"
                  + " permits were left, and this instance held none yet, as at the first request"
                  + " of a quota key under a strict rule; held, others held all that was left.")
          .alertWhen("more than 5 % of what was asked for, for 15 minutes");

  static final Metric REFUSED =
      Metric.counter(
              "quota.reports.refused",
              "reports",
              List.of("reason"),
              "Reports, or quota keys of reports, that were not applied and are dead letters."
                  + " reason: unreadable, forged (a name reserved for enforcers), wrong_partition,"
                  + " no_such_rule, invalid.")
          .alertWhen("any growth");

  static final List<Metric> ALL =
      List.of(LOOP, COMMIT, UNCOMMITTED, WAITING, ANSWERS, TURNED_AWAY, REFUSED);

  /** What the ledger says to a quota key of a report. */
  public enum Answer {
    GRANTED,
    IDLE,
    WAITING,
    NOTHING_LEFT
  }

  /** Why a request was throttled although the limit was not used up. */
  public enum TurnedAway {
    NOT_GRANTED,
    HELD
  }

  /** Why a report was not applied. */
  public enum RefusedReport {
    UNREADABLE,
    FORGED,
    WRONG_PARTITION,
    NO_SUCH_RULE,
    INVALID
  }

  private final MeterRegistry registry;
  private final Timer loops;
  private final Timer commits;
  private final AtomicLong waiting = new AtomicLong();
  private final Map<Of, Counter> answers = new ConcurrentHashMap<>();
  private final Map<Of, Counter> turnedAway = new ConcurrentHashMap<>();

  private record Of(RuleId rule, Enum<?> why) {}

  LoopMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.loops = LOOP.histogramIn(registry, BUCKETS);
    this.commits = COMMIT.histogramIn(registry, BUCKETS);
    WAITING.gaugeIn(registry, waiting::get);
  }

  /** Records a loop that an instance has measured. */
  public void loop(long nanos) {
    loops.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Records a committed transaction and its duration. */
  public void committed(long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Shows how long input waits for its commit, read on each scrape. */
  public void uncommitted(Supplier<Number> seconds) {
    UNCOMMITTED.gaugeIn(registry, seconds);
  }

  /** So many quota keys more, or fewer, wait for a commit. */
  public void waits(long more) {
    waiting.addAndGet(more);
  }

  public void answered(RuleId rule, Answer what, long quotas) {
    counter(answers, ANSWERS, new Of(rule, what)).increment(quotas);
  }

  public void turnedAway(RuleId rule, TurnedAway why, long permits) {
    counter(turnedAway, TURNED_AWAY, new Of(rule, why)).increment(permits);
  }

  public void refused(RefusedReport why) {
    REFUSED.in(registry, word(why)).increment();
  }

  private Counter counter(Map<Of, Counter> counters, Metric metric, Of of) {
    return counters.computeIfAbsent(
        of, by -> metric.in(registry, by.rule.domain(), word(by.why), by.rule.id()));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
