package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.figures.Percentile;
import io.quotaenforcer.bench.process.QuotaProgram;
import io.quotaenforcer.bench.restore.EnforcerChild;
import io.quotaenforcer.bench.restore.Group;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run: a broker in this process, and enforcers as processes of their own. */
final class DeferralRun {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LONG = Duration.ofMinutes(20);
  private static final Set<Integer> ALL_PARTITIONS =
      IntStream.range(0, DeferralScale.PARTITIONS).boxed().collect(Collectors.toSet());

  /** A standby copy that is behind writes more often than this. */
  private static final Duration COPIES_QUIET = Duration.ofSeconds(5);

  /** Seconds of outflow before and after those that are judged. */
  private static final int SPARE_SECONDS = 2;

  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Wire wire =
      Wire.of(Topics.under("quota.", DeferralScale.PARTITIONS, Codecs.withoutRegistry()));
  private final Path folder;
  private final DeferralScale scale;
  private final Consumer<String> progress;

  /**
   * @param folder for everything that is written
   * @param progress hears what is being done
   */
  DeferralRun(Path folder, DeferralScale scale, Consumer<String> progress) {
    this.folder = folder;
    this.scale = scale;
    this.progress = progress;
  }

  DeferralFigures run() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      String servers = broker.bootstrapServers();
      QuotaProgram.run(
          "topics",
          "create",
          "--partitions=" + DeferralScale.PARTITIONS,
          "--bootstrap-server=" + servers);
      BenchRules rules = new BenchRules(folder, servers);
      rules.apply(BenchRules.NEXT_TO_NONE);
      try (Group group = new Group(servers, wire.topics().deferred().name());
          Deferrer deferrer = new Deferrer(wire, servers);
          EnforcerChild first = enforcer("first", servers)) {
        awaitPartitions(group, first);
        Diagnosis diagnosis = new Diagnosis(first, folder);
        double empty = diagnosis.liveMebibytes();
        double enqueued = enqueue(deferrer, group, first);
        progress.accept("measuring what waiting costs");
        Thread.sleep(SETTLE.toMillis());
        Percentile idle =
            Percentile.of(diagnosis.idleTicks(Duration.ofSeconds(scale.idleSeconds())));
        DeferralFigures.Heap heap = new DeferralFigures.Heap(empty, diagnosis.liveMebibytes());
        Served served = takeOverAndServe(servers, rules, deferrer, group, first);
        return new DeferralFigures(
            scale,
            enqueued,
            new DeferralFigures.IdleTicks(
                idle.at(50) / NANOS_PER_MILLI, idle.at(99) / NANOS_PER_MILLI, idle.count()),
            heap,
            served.restore,
            served.releasePerSec,
            served.outflow.shape(BenchRules.STEADY, BenchRules.RATE, scale.outflowSeconds()),
            served.outflow.shape(BenchRules.WINDOWED, BenchRules.RATE, scale.outflowSeconds()));
      }
    }
  }

  /** Requests per second, each taken and committed. One of each quota key is released. */
  private double enqueue(Deferrer deferrer, Group group, EnforcerChild enforcer) throws Exception {
    int all = scale.requests() + scale.keys();
    progress.accept("deferring %,d requests".formatted(all));
    long started = System.nanoTime();
    deferrer.defer(BenchRules.HELD, all, scale.keys());
    deferrer.flush();
    enforcer.await("requests to be taken", LONG, () -> group.hasReadAll(ALL_PARTITIONS));
    double perSecond = all / secondsSince(started);
    WaitingGauge gauge = new WaitingGauge(enforcer.httpAddress().orElseThrow());
    enforcer.await(
        "one request of each quota key to be released, and all others to wait",
        LONG,
        () -> gauge.waiting(BenchRules.HELD) == scale.requests());
    return perSecond;
  }

  /** What was measured once everything had waited. */
  private record Served(
      DeferralFigures.@Nullable Restore restore, double releasePerSec, Outflow outflow) {}

  private Served takeOverAndServe(
      String servers, BenchRules rules, Deferrer deferrer, Group group, EnforcerChild first)
      throws Exception {
    if (!scale.restore()) {
      double releasePerSec = release(servers, rules, deferrer, first);
      return new Served(null, releasePerSec, outflow(servers, deferrer, first));
    }
    Takeover takeover = new Takeover(wire, servers, deferrer);
    progress.accept("killing; the successor has nothing on its disk");
    EnforcerChild[] second = new EnforcerChild[1];
    double without = takeover.seconds(first, () -> second[0] = enforcer("second", servers));
    try (EnforcerChild killed = second[0];
        EnforcerChild third = enforcer("third", servers)) {
      progress.accept("waiting for the standby copies");
      third.await("the successor to join", START_TIMEOUT, () -> group.view().knows(third));
      third.await(
          "standby copies",
          LONG,
          () -> third.storesWritten().isBefore(Instant.now().minus(COPIES_QUIET)));
      progress.accept("killing; the successor has standby copies");
      double with = takeover.seconds(killed, () -> third);
      awaitPartitions(group, third);
      double releasePerSec = release(servers, rules, deferrer, third);
      return new Served(
          new DeferralFigures.Restore(without, with),
          releasePerSec,
          outflow(servers, deferrer, third));
    }
  }

  /** Replays per second that a service sees and acknowledges. */
  private double release(
      String servers, BenchRules rules, Deferrer deferrer, EnforcerChild enforcer)
      throws Exception {
    progress.accept("releasing %,d requests".formatted(scale.requests()));
    Drain drain = new Drain(scale.requests());
    try (ReplayTail tail =
        new ReplayTail(
            wire,
            servers,
            replay -> {
              if (replay.quotaKey().rule().equals(BenchRules.HELD)) {
                drain.seen(System.nanoTime());
              }
              deferrer.done(replay.id(), replay.quotaKey());
            })) {
      rules.apply(BenchRules.ALL);
      enforcer.await("all to be released", LONG, () -> drain.seen() >= scale.requests());
    }
    return drain.perSecond();
  }

  /** Releases of a steady rule and of another, at the same time. */
  private Outflow outflow(String servers, Deferrer deferrer, EnforcerChild enforcer)
      throws Exception {
    progress.accept("releasing steadily, and as quota frees");
    int requests = (scale.outflowSeconds() + 2 * SPARE_SECONDS) * BenchRules.RATE;
    int enough = (scale.outflowSeconds() + SPARE_SECONDS) * BenchRules.RATE;
    Outflow outflow = new Outflow();
    Consumer<Replay> service =
        replay -> {
          outflow.released(replay);
          deferrer.done(replay.id(), replay.quotaKey());
        };
    try (ReplayTail tail = new ReplayTail(wire, servers, service)) {
      for (RuleId rule : Set.of(BenchRules.STEADY, BenchRules.WINDOWED)) {
        deferrer.defer(rule, requests);
      }
      enforcer.await(
          "the outflow",
          LONG,
          () ->
              outflow.count(BenchRules.STEADY) >= enough
                  && outflow.count(BenchRules.WINDOWED) >= enough);
    }
    return outflow;
  }

  private void awaitPartitions(Group group, EnforcerChild enforcer) throws Exception {
    enforcer.await(
        "the enforcer to have all partitions",
        START_TIMEOUT,
        () -> {
          Group.View view = group.view();
          return view.stable() && view.of(enforcer).containsAll(ALL_PARTITIONS);
        });
  }

  private EnforcerChild enforcer(String name, String servers) throws Exception {
    return EnforcerChild.start(
        name,
        folder.resolve(name),
        servers,
        new EnforcerChild.Limits(DeferralScale.HEAP_MEBIBYTES, DeferralScale.ROCKSDB_MEBIBYTES, 1));
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / NANOS_PER_SECOND;
  }
}
