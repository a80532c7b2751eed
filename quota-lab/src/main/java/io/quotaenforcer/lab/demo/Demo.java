package io.quotaenforcer.lab.demo;

import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.decider.AllotmentDecider;
import io.quotaenforcer.lab.decider.Decider;
import io.quotaenforcer.lab.decider.DelayedCountDecider;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.lab.embedded.Standstill;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.DecisionMerge;
import io.quotaenforcer.lab.verdict.DelayedCountShadow;
import io.quotaenforcer.lab.verdict.Judge;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.Stalls;
import io.quotaenforcer.lab.verdict.Verdict;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.topic.Identity;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A whole system in one process under load, judged by every instance's decisions and their times.
 */
public final class Demo {
  private static final int MAX_INSTANCES = 16;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(20);

  /** After this long without progress, deferred requests without a replay count as lost. */
  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(25);

  /** Assumed for the comparison until a loop is measured. */
  private static final long COMPARED_DELAY_NANOS = 50_000_000L;

  private final DemoOptions options;
  private final PrintWriter out;
  private final LiveTable table;
  private final LoopHistogram loops = new LoopHistogram();
  private final Stalls stalls = new Stalls();
  private final Clocks clocks = Clocks.system();
  private final long epochOffsetNanos =
      clocks.epochNanos().getAsLong() - clocks.monotonicNanos().getAsLong();

  public Demo(DemoOptions options, PrintWriter out, boolean terminal) {
    this.options = options;
    this.out = out;
    this.table = new LiveTable(terminal);
  }

  /** Runs it from start to end. */
  public DemoReport run() throws IOException, InterruptedException {
    Workload workload =
        new Workload(
            Load.of(
                options.seed(),
                options.instances(),
                options.requestsPerSecond(),
                options.length()));
    List<Rule> rules = new ArrayList<>(workload.rules());
    rules.addAll(WarmUp.rules());
    rules.add(DeferralShow.RULE);
    rules.replaceAll(rule -> rule.withVersion(1, 1));
    say("starting a Kafka broker, the enforcer and %d instances ...", options.instances());
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            MAX_INSTANCES, rules, EmbeddedCluster.settings(clocks.epochNanos()))) {
      return load(cluster, workload);
    }
  }

  private DemoReport load(EmbeddedCluster cluster, Workload workload)
      throws IOException, InterruptedException {
    List<Decider> deciders = new ArrayList<>();
    for (int i = 0; i < options.instances(); i++) {
      deciders.add(decider(cluster, workload, i));
    }
    DeferralShow show =
        options.policy() == DemoOptions.Policy.ALLOTMENT
            ? new DeferralShow(cluster.bootstrapServers())
            : null;
    try {
      for (Decider decider : deciders) {
        awaitRules(decider::awaitRules);
      }
      if (show != null) {
        awaitRules(show::awaitRules);
        say("warming up for %d s ...", WARM_UP.toSeconds());
        WarmUp.run(deciders, WARM_UP);
        loops.reset();
      }
      return load(cluster, workload, deciders, show);
    } finally {
      if (show != null) {
        show.close();
      }
    }
  }

  private static void awaitRules(RulesWait instance) throws InterruptedException {
    if (!instance.await(RULES_TIMEOUT)) {
      throw new IllegalStateException("an instance has no rules after " + RULES_TIMEOUT);
    }
  }

  /** Waits until an instance has the rules; false if the time was up. */
  private interface RulesWait {
    boolean await(Duration timeout) throws InterruptedException;
  }

  private DemoReport load(
      EmbeddedCluster cluster,
      Workload workload,
      List<Decider> deciders,
      @Nullable DeferralShow show)
      throws IOException, InterruptedException {
    VerdictTerms terms = VerdictTerms.of(options.instances(), MAX_INSTANCES);
    Verdict verdict = new Verdict(workload.rules(), terms);
    Verdict compared = new Verdict(workload.rules(), terms);
    DecisionConsumer shadow =
        new DelayedCountShadow(options.instances(), COMPARED_DELAY_NANOS, compared);
    Optional<LoopTimes> loopMs;
    OptionalLong loop;
    try (TraceWriter trace = trace(workload, terms)) {
      DecisionConsumer judges =
          trace == null
              ? DecisionConsumer.all(verdict, shadow)
              : DecisionConsumer.all(verdict, shadow, trace);
      apply(workload, deciders, judges, verdict);
      loopMs = loops.times();
      loop = loopMs.map(LoopTimes::p99Nanos).map(OptionalLong::of).orElse(OptionalLong.empty());
      if (trace != null && loop.isPresent()) {
        trace.measured(loop.getAsLong());
      }
    }
    deciders.forEach(Decider::close);
    DeferralFigures deferral = show == null ? DeferralFigures.NONE : defer(show);
    List<RuleVerdict> verdicts = verdict.perRule(loop);
    Map<RuleId, Long> counted = cluster.awaitCounted(admitted(verdicts));
    RunPace pace = new RunPace(loops.longestNanos(), stalls.longestNanos(), 1);
    List<RuleVerdict> byLongest =
        loop.isPresent() ? verdict.perRule(OptionalLong.of(pace.longestNanos())) : verdicts;
    Judgement judgement =
        Judge.judge(verdicts, byLongest, pace)
            .plus(Judge.counted(verdicts, counted, pace))
            .plus(show == null ? List.of() : deferral.findings(pace));
    return DemoReport.of(
        options.policy().toString(),
        verdicts,
        compared.perRule(loop),
        loopMs.orElse(new LoopTimes(0, 0)),
        pace,
        counted,
        deferral,
        judgement);
  }

  private static Map<RuleId, Long> admitted(List<RuleVerdict> verdicts) {
    return verdicts.stream()
        .collect(Collectors.toMap(it -> it.rule().id(), RuleVerdict::admittedPermits));
  }

  private void apply(
      Workload workload, List<Decider> deciders, DecisionConsumer judges, Verdict verdict)
      throws InterruptedException {
    long start = System.nanoTime();
    long end = start + options.length().toNanos();
    List<DemoInstance> instances = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < deciders.size(); i++) {
      DemoInstance instance =
          new DemoInstance(workload, i, deciders.get(i), start, end, epochOffsetNanos, stalls);
      instances.add(instance);
      threads.add(new Thread(instance, "demo-instance-" + i));
    }
    DecisionMerge merge =
        new DecisionMerge(
            workload.keys(), instances.stream().map(DemoInstance::log).toList(), judges);
    threads.forEach(Thread::start);
    try {
      for (long second = 1; second <= options.length().toSeconds(); second++) {
        long pause = start + TimeUnit.SECONDS.toNanos(second) - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(pause);
        merge.drain();
        out.print(table.frame(second, verdict.perRule(), loops.times()));
        out.flush();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      threads.forEach(Thread::interrupt);
    }
    merge.drain();
  }

  /** Defers a burst, and shows how it is drained. */
  private DeferralFigures defer(DeferralShow show) throws InterruptedException {
    say(
        "asking for %d mails at once, of which %d a second are allowed ...",
        DeferralShow.MAILS, DeferralShow.SENDERS * DeferralShow.MAILS_PER_SECOND);
    show.burst();
    long start = System.nanoTime();
    DeferralFigures figures = DeferralFigures.NONE;
    Standstill<DeferralFigures> standstill = new Standstill<>(DRAIN_PATIENCE.toNanos());
    boolean isOver = false;
    for (long second = 1; !isOver; second++) {
      long due = start + TimeUnit.SECONDS.toNanos(second);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      long now = System.nanoTime();
      stalls.came(due, now);
      figures = show.figures();
      isOver = show.isOver(figures) || standstill.isReached(figures, now);
      out.print(LiveTable.deferral(second, figures));
      out.flush();
    }
    return figures;
  }

  private Decider decider(EmbeddedCluster cluster, Workload workload, int index) {
    String name = "instance-" + index;
    if (options.policy() == DemoOptions.Policy.ALLOTMENT) {
      return AllotmentDecider.start(
          cluster.bootstrapServers(), DemoRules.DOMAIN, name, clocks, loops);
    }
    return DelayedCountDecider.start(
        cluster.bootstrapServers(),
        DemoRules.DOMAIN,
        new Identity(name, index + 1L),
        cluster.wire(),
        workload.keys(),
        clocks,
        epochOffsetNanos,
        loops);
  }

  private @Nullable TraceWriter trace(Workload workload, VerdictTerms terms) throws IOException {
    if (options.trace().isEmpty()) {
      return null;
    }
    return TraceWriter.open(
        options.trace().get(),
        IntStream.range(0, options.instances()).mapToObj(i -> "instance-" + i).toList(),
        terms,
        COMPARED_DELAY_NANOS,
        workload.rules(),
        RuleYaml.file(DemoRules.DOMAIN, workload.rules()));
  }

  private void say(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
    out.flush();
  }
}
