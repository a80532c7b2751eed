package io.quotaenforcer.bench.restore;

import io.quotaenforcer.bench.process.QuotaProgram;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One kill: a broker in this process, and two enforcers as processes of their own. */
final class RestoreRun {
  static final int HEAP_MEBIBYTES = 256;
  static final int ROCKSDB_MEBIBYTES = 64;

  private static final int PARTITIONS = 4;
  private static final RuleId FILLED = new RuleId("bench", "filled");
  private static final RuleId PROBED = new RuleId("bench", "probed");

  /** Long enough for nothing of it to be forgotten meanwhile. */
  private static final String RULES =
      """
      domain: bench
      rules:
        - {id: filled, match: {api: filled}, key: [user], limit: {permits: 100, per: 1d, algorithm: fixed-window}}
        - {id: probed, match: {api: probed}, key: [user], enforcement: strict, limit: {permits: 100, per: 1s, algorithm: fixed-window}}
      """;

  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration FILL_TIMEOUT = Duration.ofMinutes(15);
  private static final Duration RESTORE_TIMEOUT = Duration.ofMinutes(15);

  /** A standby copy that is behind writes more often than this. */
  private static final Duration COPIES_QUIET = Duration.ofSeconds(5);

  private static final double NANOS_PER_SECOND = 1e9;

  private final Path folder;
  private final int keys;
  private final int standbyReplicas;
  private final Consumer<String> progress;

  /**
   * @param folder for everything that is written
   * @param progress hears what is being done
   */
  RestoreRun(Path folder, int keys, int standbyReplicas, Consumer<String> progress) {
    this.folder = folder;
    this.keys = keys;
    this.standbyReplicas = standbyReplicas;
    this.progress = progress;
  }

  RestoreResult run() throws Exception {
    Wire wire = Wire.of(Topics.under("quota.", PARTITIONS, Codecs.withoutRegistry()));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      String servers = broker.bootstrapServers();
      prepare(servers);
      try (EnforcerChild killed = enforcer("killed", servers);
          EnforcerChild successor = enforcer("successor", servers);
          Group group = new Group(servers, wire.topics().usage().name())) {
        Set<Integer> partitions = awaitShared(group, killed, successor);
        progress.accept("filling the partitions " + partitions + " with %,d keys".formatted(keys));
        long started = System.nanoTime();
        new LedgerFill(wire, FILLED, partitions, PARTITIONS).send(servers, keys);
        killed.await("reports to be counted", FILL_TIMEOUT, () -> group.hasReadAll(partitions));
        double fillSeconds = secondsSince(started);
        if (standbyReplicas > 0) {
          progress.accept("waiting for the standby copies");
          successor.await(
              "standby copies",
              FILL_TIMEOUT,
              () -> successor.storesWritten().isBefore(Instant.now().minus(COPIES_QUIET)));
        }
        long records = group.changelogRecords(partitions);
        try (AnswerProbe probe = new AnswerProbe(servers, PROBED, partitions, PARTITIONS)) {
          killed.await(
              "answers",
              START_TIMEOUT,
              () -> probe.newestAnswers().keySet().containsAll(partitions));
          long killedPeak = killed.peakMebibytes();
          progress.accept("killing");
          killed.close();
          Takeover takeover = watch(group, probe, killed, successor, partitions);
          return new RestoreResult(
              standbyReplicas,
              keys,
              fillSeconds,
              records,
              takeover.noticed,
              takeover.assigned,
              takeover.firstAnswered,
              takeover.allAnswered,
              killedPeak,
              successor.peakMebibytes());
        }
      }
    }
  }

  /** Times in seconds since the kill; negative while something has not happened. */
  private static final class Takeover {
    private double noticed = -1;
    private double assigned = -1;
    private double firstAnswered = -1;
    private double allAnswered = -1;
  }

  private Takeover watch(
      Group group,
      AnswerProbe probe,
      EnforcerChild killed,
      EnforcerChild successor,
      Set<Integer> partitions)
      throws Exception {
    long killedAt = System.nanoTime();
    Takeover takeover = new Takeover();
    Set<Integer> answered = new TreeSet<>();
    successor.await(
        "the successor to answer",
        RESTORE_TIMEOUT,
        () -> {
          double seconds = secondsSince(killedAt);
          if (takeover.assigned < 0) {
            Group.View view = group.view();
            if (takeover.noticed < 0 && !(view.stable() && view.knows(killed))) {
              takeover.noticed = seconds;
            }
            if (view.stable() && view.of(successor).containsAll(partitions)) {
              takeover.assigned = seconds;
            }
            // What was on its way at the kill is no answer of the successor.
            return false;
          }
          probe
              .newestAnswers()
              .forEach(
                  (partition, nanos) -> {
                    boolean late = (nanos - killedAt) / NANOS_PER_SECOND > takeover.noticed;
                    if (partitions.contains(partition) && late) {
                      answered.add(partition);
                    }
                  });
          if (takeover.firstAnswered < 0 && !answered.isEmpty()) {
            takeover.firstAnswered = seconds;
          }
          takeover.allAnswered = seconds;
          return answered.containsAll(partitions);
        });
    return takeover;
  }

  /** Partitions of the one that is to be killed, once both have some. */
  private Set<Integer> awaitShared(Group group, EnforcerChild killed, EnforcerChild successor)
      throws Exception {
    killed.await(
        "both enforcers to have partitions",
        START_TIMEOUT,
        () -> {
          Group.View view = group.view();
          return view.stable()
              && view.of(killed).size() == PARTITIONS / 2
              && view.of(successor).size() == PARTITIONS / 2;
        });
    return group.view().of(killed);
  }

  private EnforcerChild enforcer(String name, String servers) throws Exception {
    return EnforcerChild.start(
        name,
        folder.resolve(name),
        servers,
        new EnforcerChild.Limits(HEAP_MEBIBYTES, ROCKSDB_MEBIBYTES, standbyReplicas));
  }

  private void prepare(String servers) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RULES);
    String server = "--bootstrap-server=" + servers;
    QuotaProgram.run("topics", "create", "--partitions=" + PARTITIONS, server);
    QuotaProgram.run("rules", "apply", rules.toString(), server);
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / NANOS_PER_SECOND;
  }
}
