package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service defers what is throttled, another one runs it when it is released; the enforcer and the
 * second service are killed with SIGKILL at random times, {@code -Ddeferral.rounds=N} times over
 * (once unless said). Judged by what the services wrote to disk. The times are others in each run;
 * {@code -Dseed=N} repeats them.
 */
@Timeout(2700)
class DeferralIT {
  private static final int ROUNDS = Integer.getInteger("deferral.rounds", 1);
  private static final int DEFERRED_PER_ROUND = 1_000;

  /** Ticks of 100 ms in which somebody is killed. */
  private static final int KILL_TICKS = 40;

  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration DRAIN = Duration.ofSeconds(240);
  private static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());
  private static final String ONE_CLOCK = "max.clock.skew=20ms";

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  /** Counts of each window; an enforcer shows only the last 100. */
  private final Map<QuotaKey, Map<String, Long>> used = new HashMap<>();

  private EmbeddedBroker broker;
  private EnforcerJvm enforcer;
  private ChildJvm replayer;
  private ChildJvm service;

  @BeforeEach
  void startAll() throws IOException {
    broker = EmbeddedBroker.start();
    open.add(broker);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RuleYaml.file(DeferralLoad.DOMAIN, DeferralLoad.RULES));
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    String most = "--max-instances=" + DeferralLoad.MAX_INSTANCES;
    QuotaRun.done("topics", "create", "--partitions=4", most, server);
    QuotaRun.done("rules", "apply", rules.toString(), server);
  }

  @Test
  void deferredRequests_whoeverIsKilled_areReleasedOnceInOrderAndForPermits() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("deferral: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    startEnforcer();
    startReplayer();
    service =
        start("service", DeferringService.class, folder.resolve("service").toString(), "" + seed);
    for (int round = 1; round <= ROUNDS; round++) {
      service.send("burst " + DEFERRED_PER_ROUND);
      killAtRandom(random);
      awaitAllRun(round * DEFERRED_PER_ROUND);
      enforcer.awaitReady();
      counts();
    }
    service.send("stop");
    assertThat(service.exitCode(START)).isZero();
    judge(seed);
  }

  private void killAtRandom(SplittableRandom random) throws IOException {
    int begin = tick();
    int killEnforcer = begin + 1 + random.nextInt(KILL_TICKS);
    int killReplayer = begin + 1 + random.nextInt(KILL_TICKS);
    if (killReplayer <= killEnforcer) {
      service.awaitLine("tick " + killReplayer, START);
      replayer.close();
      startReplayer();
    }
    service.awaitLine("tick " + killEnforcer, START);
    enforcer.close();
    startEnforcer();
    if (killReplayer > killEnforcer) {
      replayer.close();
      startReplayer();
    }
  }

  /** Every request so far has run, or is a dead letter. */
  private void awaitAllRun(int deferred) {
    await("all " + deferred + " requests to be run")
        .atMost(DRAIN)
        .pollInterval(Duration.ofMillis(500))
        .failFast(() -> !service.isAlive())
        .untilAsserted(
            () -> {
              DeferralRecord record = record();
              assertThat(record.sent).hasSize(deferred);
              assertThat(record.accepted.size() + record.refused.size() + record.unanswered.size())
                  .isEqualTo(deferred);
              assertThat(record.lost(deadLetters())).isEmpty();
            });
  }

  private void judge(long seed) throws Exception {
    DeferralRecord record = record();
    Map<String, Integer> released = released();
    record.writeTrace(folder.resolve("service"), folder.resolve("trace"));
    TraceCheck.Result trace = TraceCheck.check(folder.resolve("trace"));
    System.out.printf(
        "deferral: %d rounds, %d deferred, %d accepted, %d refused, %d unanswered; %d handled, %d"
            + " again after a kill, %d dead letters, %d lost, %d released twice, %d out of order%n",
        ROUNDS,
        record.sent.size(),
        record.accepted.size(),
        record.refused.size(),
        record.unanswered.size(),
        record.handled.stream().map(DeferralRecord.Handled::id).distinct().count(),
        record.repeated(),
        deadLetters().size(),
        record.lost(deadLetters()).size(),
        record.releasedTwice().size(),
        record.outOfOrder().size());
    System.out.println("deferral: " + trace.perRule());
    assertThat(record.sent).as("seed %d", seed).hasSize(ROUNDS * DEFERRED_PER_ROUND);
    assertThat(record.refused).as("seed %d", seed).isEmpty();
    assertThat(record.lost(deadLetters())).as("seed %d", seed).isEmpty();
    assertThat(record.releasedTwice()).as("seed %d", seed).isEmpty();
    assertThat(released).as("seed %d", seed).allSatisfy((id, times) -> assertThat(times).isOne());
    assertThat(record.outOfOrder()).as("seed %d", seed).isEmpty();
    TracePromises.of(DeferralLoad.RULES).assertKept(trace);
    assertThat(counted(trace)).as("seed %d", seed).isEqualTo(admitted(trace));
  }

  /** How often each request was released, as the enforcer's transactions say. */
  private Map<String, Integer> released() {
    Map<String, Integer> times = new HashMap<>();
    try (TopicTap tap = new TopicTap(broker.bootstrapServers())) {
      for (ConsumerRecord<byte[], byte[]> record : tap.read("quota.replays")) {
        String id = WIRE.decodeReplay(record.value()).id();
        times.merge(id, 1, Integer::sum);
      }
    }
    return times;
  }

  private Set<String> deadLetters() {
    try (TopicTap tap = new TopicTap(broker.bootstrapServers())) {
      return tap.read("quota.dead-letters").stream()
          .map(record -> TopicTap.header(record, "deferred-id"))
          .collect(Collectors.toSet());
    }
  }

  private static List<Long> admitted(TraceCheck.Result trace) {
    return trace.perRule().stream().map(RuleFigures::admittedPermits).toList();
  }

  /** The enforcer's counts, once they equal the admissions, or the time is up. */
  private List<Long> counted(TraceCheck.Result trace) {
    List<List<Long>> newest = new ArrayList<>();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(
              () -> {
                newest.add(counts());
                return newest.get(newest.size() - 1).equals(admitted(trace));
              });
    } catch (ConditionTimeoutException e) {
      // The assertion says how they differ.
    }
    return newest.isEmpty() ? List.of() : newest.get(newest.size() - 1);
  }

  private List<Long> counts() throws Exception {
    List<Long> counts = new ArrayList<>();
    for (Rule rule : DeferralLoad.RULES) {
      long counted = 0;
      for (int key = 0; key < DeferralLoad.KEYS; key++) {
        QuotaKey quotaKey = DeferralLoad.key(rule, key);
        Map<String, Long> all = used.computeIfAbsent(quotaKey, k -> new HashMap<>());
        all.putAll(enforcer.usedByWindow(quotaKey, "key"));
        counted += all.values().stream().mapToLong(Long::longValue).sum();
      }
      counts.add(counted);
    }
    return counts;
  }

  private DeferralRecord record() throws IOException {
    return DeferralRecord.read(folder.resolve("service"), folder.resolve("replayer"));
  }

  private int tick() {
    return (int) service.out().stream().filter(line -> line.startsWith("tick ")).count();
  }

  private void startEnforcer() throws IOException {
    enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"),
            broker.bootstrapServers(),
            ONE_CLOCK,
            "counts.retention=1h");
    open.add(enforcer);
  }

  private void startReplayer() throws IOException {
    replayer = start("replayer", ReplayingService.class, folder.resolve("replayer").toString());
  }

  private ChildJvm start(String name, Class<?> main, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(broker.bootstrapServers()));
    all.addAll(List.of(arguments));
    ChildJvm jvm =
        ChildJvm.start(name, folder.resolve(name + "-tmp"), main, all.toArray(String[]::new));
    open.add(jvm);
    if (!name.equals("replayer")) {
      jvm.awaitLine("ready", START);
    }
    return jvm;
  }
}
