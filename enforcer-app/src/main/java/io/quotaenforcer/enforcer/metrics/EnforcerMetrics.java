package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The enforcer's own counters. */
public final class EnforcerMetrics {
  static final Metric REPORTED_QUOTAS =
      Metric.counter(
              "quota.reported.quotas",
              "quota keys",
              List.of(),
              "Quota keys of usage reports that were applied to the ledger.")
          .alertWhen("no growth while services run: no reports come");

  static final Metric PERMITS_USED =
      Metric.counter(
          "quota.permits.used",
          "permits",
          List.of("domain", "mode", "rule"),
          "Permits of admitted requests that the rule had room for. With quota.permits.throttled:"
              + " what was asked for. mode: enforce, or shadow for a rule that only watches.");

  static final Metric PERMITS_THROTTLED =
      Metric.counter(
          "quota.permits.throttled",
          "permits",
          List.of("domain", "mode", "rule"),
          "Permits that the rule had no room for: of throttled requests; with mode shadow, of"
              + " requests that it would have throttled.");

  static final Metric PENALTIES =
      Metric.counter(
          "quota.penalties.started",
          "penalties",
          List.of("domain", "mode", "rule"),
          "Penalties that have started: quota keys that are refused everything for a while, by a"
              + " rule's penalty; with mode shadow, that would be. Of a crashed enforcer, one may be"
              + " counted again by its successor.");

  static final Metric DEAD_LETTERS =
      Metric.counter(
              "quota.dead.letters",
              "records",
              List.of("topic"),
              "Records put aside, by the topic that they came from.")
          .alertWhen("any growth");

  static final Metric REQUEST_EVENTS =
      Metric.counter(
          "quota.request.events",
          "request events",
          List.of("outcome"),
          "Request events by what became of them: counted; repeated, an id seen before; kept,"
              + " counted by a client already.");

  static final Metric MATCHES_GIVEN_UP =
      Metric.counter(
          "quota.matches.given.up",
          "matches",
          List.of("attribute", "domain", "rule"),
          "Request events that a rule was taken to match since its expression for the attribute"
              + " could not be tried to the end: the value is too long, or takes too many steps."
              + " Clients tell of requests by ClientTelemetry#matchGivenUp.");

  static final Metric RECORDS_LOST =
      Metric.counter(
              "quota.records.lost",
              "gaps",
              List.of("topic"),
              "Times that records of a partition were deleted before an enforcer had read them,"
                  + " since nobody read it for longer than its topic is kept. What they told is not"
                  + " counted.")
          .alertWhen("any growth");

  static final Metric SNAPSHOTS_LOST =
      Metric.counter(
          "quota.snapshots.lost",
          "snapshots",
          List.of(),
          "Answers to instances that could not be sent. Each is healed by the next report; steady"
              + " growth means that the brokers are slow or away.");

  static final Metric REPLAYS_RELEASED =
      Metric.counter(
          "quota.replays.released",
          "requests",
          List.of("domain", "rule"),
          "Deferred requests that were released to be run.");

  static final Metric DEFERRED_WAITING =
      Metric.gauge(
          "quota.deferred.waiting",
          "requests",
          List.of("domain", "rule"),
          "Deferred requests that wait in the partitions of this enforcer. Growth over hours means"
              + " that more is deferred than the rule's limit can run.");

  static final Metric DEFERRED_OLDEST =
      Metric.gauge(
          "quota.deferred.oldest.age",
          "seconds",
          List.of("domain", "rule"),
          "How long the oldest of them waits: as of the last walk through the queues, of which 300"
              + " in each partition are looked at in a second. Growth while"
              + " quota.replays.released stands still means that no service runs replays.");

  static final Metric BOUND =
      Metric.gauge(
          "quota.bound",
          "permits",
          List.of("domain", "enforcer", "rule"),
          "Most permits over the limit of one quota key in a window, by the rule and max-instances;"
              + " 0 for strict. enforcer: connected, or away for any instance (+Inf with"
              + " on-unavailable: allow). The largest of the rule's limit and its overrides.");

  static final Metric LIMIT_IN_FORCE =
      Metric.gauge(
          "quota.limit.in.force",
          "part",
          List.of("domain", "rule"),
          "Of rules whose limits follow the load of a service: the part of the limit that is in"
              + " force, 1 for all of it. By the enforcer that decides it, which has partition 0 of"
              + " quota.load; others show none.");

  static final Metric UNREADABLE =
      Metric.gauge(
              "quota.rules.unreadable",
              "rules",
              List.of(),
              "Rules in the rules topic that this enforcer cannot read, as it is older than who"
                  + " wrote them, or their schema registry is away. The versions before them stay"
                  + " in force; where there is none, nothing is granted.")
          .alertWhen("more than 0");

  static final Metric CLOCK_AHEAD =
      Metric.gauge(
              "quota.clock.ahead",
              "seconds",
              List.of(),
              "By how much the enforcer's time is certainly ahead of the brokers', negative where"
                  + " it is behind; NaN when it cannot be compared. Beyond half of max.clock.skew"
                  + " nothing is granted.")
          .alertWhen("beyond 0.05 for 5 minutes, with the default of max.clock.skew");

  private static final List<Metric> COUNTS =
      List.of(
          REPORTED_QUOTAS,
          PERMITS_USED,
          PERMITS_THROTTLED,
          PENALTIES,
          DEAD_LETTERS,
          REQUEST_EVENTS,
          MATCHES_GIVEN_UP,
          RECORDS_LOST,
          SNAPSHOTS_LOST,
          REPLAYS_RELEASED,
          DEFERRED_WAITING,
          DEFERRED_OLDEST,
          BOUND,
          LIMIT_IN_FORCE,
          UNREADABLE,
          CLOCK_AHEAD);

  /** In the order of the reference. */
  public static final List<Metric> ALL =
      Stream.of(COUNTS, LoopMetrics.ALL, StateMetrics.ALL, KafkaMetrics.ALL)
          .flatMap(List::stream)
          .toList();

  private final MeterRegistry registry;
  private final Counter reportedQuotas;
  private final LoopMetrics loop;
  private final StateMetrics state;
  private final KafkaMetrics kafka;
  private final MultiGauge bounds;
  private final MultiGauge limitsInForce;
  private final MultiGauge unreadable;
  private final DeferredGauges deferred;
  private final Map<RuleId, Counter> released = new ConcurrentHashMap<>();
  private final Map<Counted, Counter> used = new ConcurrentHashMap<>();
  private final Map<Counted, Counter> throttled = new ConcurrentHashMap<>();
  private final Map<Counted, Counter> penalties = new ConcurrentHashMap<>();
  private final Map<String, Counter> requestEvents = new ConcurrentHashMap<>();

  private record Counted(RuleId rule, Mode mode) {}

  public EnforcerMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.reportedQuotas = REPORTED_QUOTAS.in(registry);
    this.loop = new LoopMetrics(registry);
    this.state = new StateMetrics(registry);
    this.kafka = new KafkaMetrics(registry);
    this.bounds = BOUND.gaugesIn(registry);
    this.limitsInForce = LIMIT_IN_FORCE.gaugesIn(registry);
    this.unreadable = UNREADABLE.gaugesIn(registry);
    this.deferred = new DeferredGauges(registry);
  }

  /** Shows the clock's lead, read on each scrape. */
  public static void clock(MeterRegistry registry, Supplier<Number> aheadSeconds) {
    CLOCK_AHEAD.gaugeIn(registry, aheadSeconds);
  }

  /** The loop from report to answer. */
  public LoopMetrics loop() {
    return loop;
  }

  /** What this enforcer is, and how it is. */
  public StateMetrics state() {
    return state;
  }

  /** What Kafka's own metrics say. */
  public KafkaMetrics kafka() {
    return kafka;
  }

  /** Shows the bounds of the rules in force only. */
  public void rulesInForce(RuleSet rules, int maxInstances) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (Rule rule : rules.rules()) {
      DeclaredBound bound = Bound.largest(rule, maxInstances);
      String domain = rule.id().domain();
      String id = rule.id().id();
      double away = bound.away().isPresent() ? bound.away().getAsLong() : Double.POSITIVE_INFINITY;
      rows.add(BOUND.row(bound.connected(), domain, "connected", id));
      rows.add(BOUND.row(away, domain, "away", id));
    }
    bounds.register(rows, true);
  }

  /** Shows how much of the limits of rules is in force by the load. */
  public void limitsInForce(Map<RuleId, LimitInForce> inForce) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    inForce.forEach(
        (rule, it) ->
            rows.add(
                LIMIT_IN_FORCE.row(
                    (double) it.basisPoints() / AdaptTerms.WHOLE, rule.domain(), rule.id())));
    limitsInForce.register(rows, true);
  }

  public void rulesUnreadable(int rules) {
    List<MultiGauge.Row<?>> rows = List.of(UNREADABLE.row(rules));
    unreadable.register(rows, true);
  }

  public void reportApplied(int quotas) {
    reportedQuotas.increment(quotas);
  }

  public void counted(RuleId rule, Mode mode, long usedPermits, long throttledPermits) {
    Counted by = new Counted(rule, mode);
    counter(used, PERMITS_USED, by).increment(usedPermits);
    counter(throttled, PERMITS_THROTTLED, by).increment(throttledPermits);
  }

  public void penaltyStarted(RuleId rule, Mode mode) {
    counter(penalties, PENALTIES, new Counted(rule, mode)).increment();
  }

  public void deadLettered(String topic) {
    DEAD_LETTERS.in(registry, topic).increment();
  }

  /** Records of a partition were deleted before they were read. */
  public void recordsLost(String topic) {
    RECORDS_LOST.in(registry, topic).increment();
  }

  public void snapshotLost() {
    SNAPSHOTS_LOST.in(registry).increment();
  }

  /** A deferred request was released. */
  public void released(RuleId rule) {
    released
        .computeIfAbsent(rule, id -> REPLAYS_RELEASED.in(registry, id.domain(), id.id()))
        .increment();
  }

  /**
   * Sets the deferred requests of a partition.
   *
   * @param waiting requests by rule
   * @param oldestMillis arrival of the oldest waiting one, epoch milliseconds by rule
   */
  public void deferred(int partition, Map<RuleId, Long> waiting, Map<RuleId, Long> oldestMillis) {
    deferred.set(partition, waiting, oldestMillis);
  }

  /** The partition is another enforcer's now. */
  public void forgetDeferred(int partition) {
    deferred.forget(partition);
  }

  /** A request event was taken to match because a condition on an attribute was given up. */
  public void matchGivenUp(RuleId rule, String attribute) {
    MATCHES_GIVEN_UP.in(registry, attribute, rule.domain(), rule.id()).increment();
  }

  public void requestEvent(String outcome) {
    requestEvents.computeIfAbsent(outcome, value -> REQUEST_EVENTS.in(registry, value)).increment();
  }

  private Counter counter(Map<Counted, Counter> counters, Metric metric, Counted by) {
    return counters.computeIfAbsent(
        by,
        counted ->
            metric.in(
                registry,
                counted.rule.domain(),
                counted.mode.name().toLowerCase(Locale.ROOT),
                counted.rule.id()));
  }
}
