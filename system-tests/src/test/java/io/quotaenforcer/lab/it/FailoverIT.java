package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.it.FailoverPhases.Phase;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.trace.TraceCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two enforcers with a standby copy of each store, and three services, each a process of its own,
 * on a real broker: both enforcers are restarted in turn, one is killed, one stands still.
 */
@Tag("alone")
@Timeout(1080)
class FailoverIT {
  /** From the start of the load until the code of all processes is compiled. */
  private static final int WARM_UP_SECONDS = 8;

  private static final int CALM_SECONDS = 3;

  /** Until another enforcer notices, takes over, and has answered what has waited. */
  private static final int TAKEOVER_SECONDS = 9;

  /** Longer than that: it goes on when its partitions are another's. */
  private static final int PAUSE_SECONDS = 14;

  /** Two planned ones, of a killed enforcer, and of one that stands still. */
  private static final int TAKEOVERS = 4;

  private static final Duration FENCED_TIMEOUT = Duration.ofSeconds(60);

  /** Share of the limit, through a restart: far less than an idle machine prints. */
  private static final double LEAST_ADMITTED = 0.5;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final List<EnforcerJvm> enforcers = new ArrayList<>();
  private final FailoverPhases phases = new FailoverPhases();
  private final ServiceFleet.Counts counts = new ServiceFleet.Counts();
  private EmbeddedBroker broker;

  @BeforeEach
  void startBroker() throws IOException {
    broker = EmbeddedBroker.start();
    open.add(broker);
    ServiceLoad.prepare(broker.bootstrapServers(), folder);
  }

  @Test
  void strictRules_enforcersRestartedKilledAndPaused_areNeverOverAndAllIsCounted()
      throws Exception {
    EnforcerJvm first = enforcers("first", "second").get(0);
    ServiceJvms fleet = fleet();

    phases.begin("before");
    fleet.awaitSeconds(CALM_SECONDS);
    Phase restart = phases.begin("restart");
    first.terminate();
    EnforcerJvm killed = restarted("first");
    fleet.awaitSeconds(CALM_SECONDS);
    enforcers.get(1).terminate();
    EnforcerJvm paused = restarted("second");
    phases.begin("restarted");
    fleet.awaitSeconds(CALM_SECONDS);
    for (EnforcerJvm each : enforcers) {
      assertThat(each.jvm().err()).as("stores that were wiped").noneMatch(FailoverIT::isWiped);
    }
    counts.look(paused);
    Phase kill = phases.begin("killed");
    killed.close();
    fleet.awaitSeconds(TAKEOVER_SECONDS);
    phases.begin("started");
    EnforcerJvm successor = enforcers("first").get(0);
    fleet.awaitSeconds(CALM_SECONDS);
    Phase pause = phases.begin("paused");
    paused.jvm().signal("STOP");
    fleet.awaitSeconds(PAUSE_SECONDS);
    phases.begin("continued");
    int beforeIt = paused.jvm().err().size();
    paused.jvm().signal("CONT");
    fleet.awaitSeconds(CALM_SECONDS);
    phases.begin("after");
    fleet.awaitSeconds(CALM_SECONDS);
    phases.end();
    fleet.stop();

    check(successor);
    for (Rule rule : ServiceLoad.RULES) {
      if (rule.enforcement() == Enforcement.STRICT) {
        assertThat(phases.ofLimit(restart, rule)).as(rule.toString()).isGreaterThan(LEAST_ADMITTED);
      }
    }
    // A slow takeover answers in the next phase.
    assertThat(phases.longestLoopMicros(kill, phases.named("started")))
        .as("nobody answers")
        .isGreaterThan(2_000_000);
    assertThat(phases.longestLoopMicros(pause, phases.named("continued")))
        .as("nobody answers")
        .isGreaterThan(2_000_000);
    await("the paused enforcer to give up what is another's")
        .atMost(FENCED_TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(paused.jvm().err().stream().skip(beforeIt))
                    .as(paused.jvm().toString())
                    .anyMatch(FailoverIT::isRefused));
  }

  /** By the coordinator of transactions, or by that of the group: whichever answers first. */
  private static boolean isRefused(String line) {
    return line.contains("fenced")
        || line.contains("not aware of this member")
        || line.contains("lost to another enforcer")
        || line.contains("given up: partitions");
  }

  /** Promises that hold whatever happened, and that everything is as before once it is over. */
  private void check(EnforcerJvm enforcer) throws Exception {
    phases.read(folder);
    TraceCheck.Result result = TraceCheck.check(folder);
    List<Long> counted = counts.await(enforcer, result);
    System.out.println("failover: " + result.perRule() + " counted " + counted);
    for (String line : phases.describe()) {
      System.out.println("failover: " + line);
    }
    TracePromises.of(ServiceLoad.RULES)
        .withSlack(rule -> ServiceLoad.slackAfter(TAKEOVERS, rule))
        .withOpened(ServiceLoad::askedAcrossABorder)
        .withMore(ServiceLoad::mostAfterTakeovers)
        .assertKept(result);
    TracePromises.assertCounted(result, counted);
    for (EnforcerJvm each : enforcers) {
      assertThat(each.jvm().err()).noneMatch(line -> line.contains("a stream thread failed"));
    }
    long before = phases.medianLoopMicros(phases.named("before"));
    assertThat(phases.medianLoopMicros(phases.named("after")))
        .as("median of the loop in µs, %d before", before)
        .isLessThan(Math.max(1_000_000, 5 * before));
  }

  /** Starts them at once, and returns when all are ready. */
  private List<EnforcerJvm> enforcers(String... names) throws IOException {
    List<EnforcerJvm> started =
        EnforcerJvm.startAll(
            folder, List.of(names), broker.bootstrapServers(), ServiceLoad.ONE_CLOCK);
    started.forEach(open::add);
    enforcers.addAll(started);
    return started;
  }

  private EnforcerJvm restarted(String name) throws IOException {
    long began = System.nanoTime();
    EnforcerJvm enforcer = enforcers(name).get(0);
    System.out.printf(
        "failover: %s is ready %.1f s after its start%n", name, (System.nanoTime() - began) / 1e9);
    return enforcer;
  }

  /** The log lines of Kafka Streams when it empties the stores of a task and restores them. */
  private static boolean isWiped(String line) {
    return line.contains("corrupt") || line.contains("did not find checkpoint offsets");
  }

  private ServiceJvms fleet() throws IOException {
    ServiceJvms fleet = ServiceFleet.start(folder, broker.bootstrapServers());
    open.add(fleet);
    fleet.awaitSecond(WARM_UP_SECONDS);
    return fleet;
  }
}
