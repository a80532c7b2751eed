package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.core.backtest.BacktestBounds;
import io.quotaenforcer.core.backtest.RuleRun;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.Verdict;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** One run of a log through the whole pipeline, at the log's own time stamps sped up. */
public final class LogRun {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(20);

  /** A log runs many times as fast as it was written, and its requests wait by its clock. */
  private static final int MOST_WAITING = 1_000_000;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  private static final long LONGEST_PAUSE_NANOS = 1_000_000L;

  /** Longer than any log: counts must be there at its end. */
  private static final Duration COUNTS_RETENTION = Duration.ofDays(20_000);

  private final LogRunOptions options;
  private final LogReader reader;
  private final Progress progress;
  private final List<Rule> rules;
  private final LogTally tally = new LogTally();
  private final LogMeasures measures;
  private final Backtest alone;
  private final RuleRun exact;
  private final Verdict verdict;

  /**
   * @param reader of the log, from its first line
   * @param progress receives every step
   */
  public LogRun(LogRunOptions options, LogReader reader, Progress progress) {
    this.options = options;
    this.reader = reader;
    this.progress = progress;
    this.rules = options.rules().stream().map(rule -> rule.withVersion(1, 1)).toList();
    this.measures = LogMeasures.of(options.speed());
    this.alone = new Backtest(rules, Optional.empty(), BacktestBounds.DEFAULTS);
    this.exact = new RuleRun(rules, BacktestBounds.DEFAULTS.maxQuotaKeys());
    this.verdict =
        new Verdict(
            rules,
            VerdictTerms.of(options.instances(), LogRunOptions.MAX_INSTANCES)
                .scaled(options.speed()));
  }

  /** Hears how far a run is. */
  public interface Progress {
    /** A step begins that takes a while. */
    void step(String text);

    /** Reports the share of the log that has been run. Called often. */
    void at(double share, LogTally tally);

    /** All of the log has been run. */
    void end(LogTally tally);
  }

  /**
   * Runs it from start to end.
   *
   * @throws IOException if the log cannot be read to its end, or no line of it is a request
   */
  public LogReport run() throws IOException, InterruptedException {
    Optional<LogLine.Parsed> first = nextParsed();
    if (first.isEmpty()) {
      throw new IOException(nothingParsed());
    }
    long lead = WarmUp.LENGTH.toNanos() * options.speed();
    LogClock clock = new LogClock(options.speed(), first.get().timeNanos() - lead);
    List<Rule> published = new ArrayList<>(rules);
    published.add(WarmUp.rule().withVersion(1, 1));
    progress.step(
        "starting a Kafka broker, the enforcer and " + options.instances() + " instances ...");
    List<AdmissionClient> clients = new ArrayList<>();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            LogRunOptions.MAX_INSTANCES, published, prefix -> settings(prefix, clock))) {
      try {
        start(clients, cluster, clock);
        feed(first.get(), clients, clock);
      } finally {
        clients.forEach(AdmissionClient::close);
      }
      return report(cluster.awaitCounted(admitted()));
    }
  }

  private TopologySettings settings(PrefixInfo prefix, LogClock clock) {
    TopologySettings defaults =
        TopologySettings.defaults(
            prefix.partitions(),
            LedgerSettings.defaults(prefix.maxInstances()).scaled(options.speed()),
            clock);
    return defaults.withCountsRetention(COUNTS_RETENTION);
  }

  private void start(List<AdmissionClient> clients, EmbeddedCluster cluster, LogClock clock)
      throws InterruptedException {
    ClientTelemetry telemetry =
        new ClientTelemetry() {
          @Override
          public void answered(int partition, int quotas, long loopNanos) {
            measures.loops().record(loopNanos);
          }
        };
    for (int i = 0; i < options.instances(); i++) {
      clients.add(
          AdmissionClient.builder()
              .bootstrapServers(cluster.bootstrapServers())
              .domains(options.domain(), WarmUp.DOMAIN)
              .instance("instance-" + i)
              .property("close.timeout", CLOSE_TIMEOUT.toSeconds() + "s")
              .property("max.waiting", MOST_WAITING)
              .clocks(clock.clocks(), options.speed())
              .telemetry(telemetry)
              .build());
    }
    for (AdmissionClient client : clients) {
      if (!client.awaitRules(RULES_TIMEOUT)) {
        throw new IllegalStateException("an instance has no rules after " + RULES_TIMEOUT);
      }
    }
  }

  private void feed(LogLine.Parsed first, List<AdmissionClient> clients, LogClock clock)
      throws IOException, InterruptedException {
    DecisionOrder order = new DecisionOrder(new KeyTable(rules), verdict, clock);
    LogPacer pacer = new LogPacer(options.speed(), clock.start() + WarmUp.LENGTH.toNanos());
    WarmUp.run(clients);
    measures.loops().reset();
    int turn = 0;
    Optional<LogLine.Parsed> next = Optional.of(first);
    while (next.isPresent()) {
      LogLine.Parsed line = next.get();
      await(pacer.dueNanos(line.timeNanos()), order);
      alone.add(line.request(), line.timeNanos());
      measures.attributes().add(line.request());
      DecisionOrder.Asked asked = order.ask(turn, line.request().cost());
      boolean allowed = exact.decide(line.request(), line.timeNanos()).admitted();
      decide(clients.get(turn), line.request())
          .thenAccept(
              decision -> {
                tally.decided(decision, allowed);
                measures.waits().record(order.decided(asked, decision));
              });
      turn = (turn + 1) % clients.size();
      next = nextParsed();
    }
    while (!order.drain()) {
      pause(LONGEST_PAUSE_NANOS);
    }
    progress.end(tally);
  }

  private CompletableFuture<Decision> decide(AdmissionClient client, Request request) {
    return options.maxWait().isZero()
        ? CompletableFuture.completedFuture(client.decide(request))
        : client.decideAsync(
            request, options.maxWait().multipliedBy(options.speed()), Runnable::run);
  }

  private void await(long dueNanos, DecisionOrder order) throws InterruptedException {
    do {
      order.drain();
      progress.at(reader.progress(), tally);
      long now = System.nanoTime();
      long pause = Math.max(0, Math.min(LONGEST_PAUSE_NANOS, dueNanos - now));
      pause(pause);
      measures.stalls().came(now + pause, System.nanoTime());
    } while (System.nanoTime() < dueNanos);
  }

  private static void pause(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the run was interrupted");
    }
    if (nanos > 0) {
      LockSupport.parkNanos(nanos);
    }
  }

  private Optional<LogLine.Parsed> nextParsed() throws IOException {
    for (Optional<LogLine> line = reader.next(); line.isPresent(); line = reader.next()) {
      if (line.get() instanceof LogLine.Parsed parsed) {
        return Optional.of(parsed);
      }
      tally.unparsed((LogLine.Unparsed) line.get());
    }
    return Optional.empty();
  }

  private String nothingParsed() {
    return tally
        .firstUnparsed()
        .map(
            line ->
                "no line can be read in this format; line %d %s"
                    .formatted(line.lineNumber(), line.reason()))
        .orElse("the log has no lines");
  }

  private LogReport report(Map<RuleId, Long> counted) {
    return tally.report(measures.outcome(rules, verdict, alone.end(0), counted));
  }

  private Map<RuleId, Long> admitted() {
    return verdict.perRule().stream()
        .collect(Collectors.toMap(it -> it.rule().id(), RuleVerdict::admittedPermits));
  }
}
