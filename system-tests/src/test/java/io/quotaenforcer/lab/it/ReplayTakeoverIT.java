package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of two services that share replays is killed with SIGKILL; the enforcer's part is played. */
@Timeout(540)
class ReplayTakeoverIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final int PARTITIONS = 4;

  /**
   * The session's 10 s, the next heartbeat of who takes over (3 s), the rebalance itself, and as
   * long again for a slow machine.
   */
  private static final Duration LONGEST_STALL = Duration.ofSeconds(30);

  private static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final Map<String, Long> writtenMicros = new HashMap<>();
  private String servers;
  private TopicTap tap;

  @BeforeEach
  void startBroker() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    servers = broker.bootstrapServers();
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--partitions=" + PARTITIONS, server);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RuleYaml.file(DeferralLoad.DOMAIN, DeferralLoad.RULES));
    QuotaRun.done("rules", "apply", rules.toString(), server);
    tap = new TopicTap(servers);
    open.add(tap);
    GroupOffsets.begin(servers, "quota.replays-" + DeferralLoad.DOMAIN, PARTITIONS);
  }

  @Test
  void serviceThatIsKilled_holdsUpItsReplaysForItsSessionAndARebalance() throws Exception {
    ChildJvm killed = start("killed");
    ChildJvm other = start("other");
    await("both to handle replays")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .failFast(() -> !killed.isAlive() || !other.isAlive())
        .until(
            () -> {
              writeToEachPartition();
              return !handled("killed").isEmpty() && !handled("other").isEmpty();
            });
    // The killed one has partitions as long as its records come in its log.
    int before = handled("killed").size();
    await("the one to be killed to go on")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              writeToEachPartition();
              return handled("killed").size() > before;
            });

    killed.close();
    long killedMicros = nowMicros();
    await("the other to handle what the killed one had")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              if (nowMicros() - killedMicros < 1_000_000) {
                writeToEachPartition();
              }
              Set<String> all = new HashSet<>(handled("killed").keySet());
              all.addAll(handled("other").keySet());
              return all.containsAll(writtenMicros.keySet());
            });

    long longest = 0;
    for (Map.Entry<String, Long> each : handled("other").entrySet()) {
      long since = Math.max(killedMicros, writtenMicros.get(each.getKey()));
      longest = Math.max(longest, each.getValue() - since);
    }
    System.out.println("replay takeover: longest stall " + longest / 1_000 + " ms");
    assertThat(Duration.of(longest, ChronoUnit.MICROS))
        .isBetween(Duration.ofSeconds(3), LONGEST_STALL);
  }

  private ChildJvm start(String name) throws IOException {
    ChildJvm jvm =
        ChildJvm.start(
            name,
            folder.resolve(name + "-tmp"),
            ReplayingService.class,
            servers,
            folder.resolve(name).toString());
    open.add(jvm);
    jvm.awaitLine("ready", TIMEOUT);
    return jvm;
  }

  /** When each replay was first handled. */
  private Map<String, Long> handled(String name) throws IOException {
    Map<String, Long> micros = new HashMap<>();
    for (String[] line : LogFile.read(folder.resolve(name).resolve(ReplayingService.LOG))) {
      micros.putIfAbsent(line[1], Long.parseLong(line[0]));
    }
    return micros;
  }

  /** Keys are as many that each partition has one. */
  private void writeToEachPartition() {
    Rule rule = DeferralLoad.RULES.get(0);
    Set<Integer> reached = new HashSet<>();
    for (int key = 0; reached.size() < PARTITIONS; key++) {
      QuotaKey quotaKey = DeferralLoad.key(rule, key);
      if (reached.add(quotaKey.partition(PARTITIONS))) {
        write(quotaKey, DeferralLoad.request(rule, key));
      }
    }
  }

  private void write(QuotaKey key, Request request) {
    long number = writtenMicros.size() + 1L;
    Replay replay =
        new Replay(
            "r" + number,
            key,
            request,
            Payload.EMPTY,
            Map.of(),
            Priority.NORMAL,
            1,
            0,
            List.of(key),
            1,
            0,
            number,
            number);
    writtenMicros.put(replay.id(), nowMicros());
    tap.write(
        "quota.replays",
        key.partition(PARTITIONS),
        key.toString().getBytes(StandardCharsets.UTF_8),
        WIRE.encode(replay));
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
