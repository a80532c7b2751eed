package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.trace.TraceCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer and three services, each a process of its own, on a real broker. */
@Tag("alone")
@Timeout(900)
class ProcessesIT {
  private static final long SECOND_MICROS = 1_000_000L;

  /** Time until a service has its first grants, while nothing of it is compiled. */
  private static final long WARM_UP_MICROS = 2 * SECOND_MICROS;

  /** Longest time that a machine may stand still. */
  private static final long MOST_STOOD_MICROS = 8 * SECOND_MICROS;

  /**
   * Least share of the strict limits that is admitted; a busy machine has shown 0.69, and a slow
   * one less.
   */
  private static final double LEAST_ADMITTED = 0.4;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private EmbeddedBroker broker;

  @BeforeEach
  void startBroker() throws IOException {
    broker = EmbeddedBroker.start();
    open.add(broker);
    ServiceLoad.prepare(broker.bootstrapServers(), folder);
  }

  @Test
  void strictRules_enforcerKilledAndServiceStopped_areNeverOverAndAllIsCounted() throws Exception {
    EnforcerJvm killed = enforcer();
    killed.awaitReady();
    ServiceJvms fleet = ServiceFleet.start(folder, broker.bootstrapServers());
    open.add(fleet);

    fleet.awaitSecond(5);
    killed.close();
    long killedAt = nowMicros();
    fleet.awaitSecond(6);
    long restartedAt = nowMicros();
    EnforcerJvm enforcer = enforcer();
    fleet.awaitSecond(14);
    fleet.service(2).signal("STOP");
    fleet.awaitSecond(19);
    fleet.service(2).signal("CONT");
    fleet.awaitSecond(22);
    fleet.stop();

    ServiceTraces traces = ServiceFleet.traces(folder, ServiceLoad.RULES.get(0));
    TraceCheck.Result result = TraceCheck.check(folder);
    List<Long> counted = ServiceFleet.awaitCounts(enforcer, result);
    print(result, counted);
    print(traces, killedAt, restartedAt);

    TracePromises.of(ServiceLoad.RULES)
        .withSlack(ServiceLoad::slack)
        .withMore(ServiceLoad::mostAway)
        .withOpened(ServiceLoad::askedAcrossABorder)
        .assertKept(result);
    TracePromises.assertCounted(result, counted);
    ServiceTraces.Pause pause = traces.longestPause();
    // Instances have shares of what that rule limits, and go on with them.
    assertThat(pause.micros()).isLessThan(2 * SECOND_MICROS + stoodStillMicros(traces));
    assertThat(traces.longestSilenceMicros(ServiceFleet.NAMES.get(2)))
        .isGreaterThan(4 * SECOND_MICROS);
    assertThat(before(traces, killedAt)).isGreaterThan(LEAST_ADMITTED);
    assertThat(after(traces)).isGreaterThan(LEAST_ADMITTED);
  }

  /** Of the services that nobody stops: they ask all the time, but where the machine does. */
  private static long stoodStillMicros(ServiceTraces traces) {
    long longest =
        ServiceFleet.NAMES.subList(0, 2).stream()
            .mapToLong(traces::longestSilenceMicros)
            .max()
            .orElseThrow();
    // More than that is no machine's, but a request that is held up.
    assertThat(longest).isLessThan(MOST_STOOD_MICROS);
    return longest;
  }

  private static double before(ServiceTraces traces, long killedAt) {
    return traces.utilisation(traces.firstMicros() + WARM_UP_MICROS, killedAt);
  }

  private static double after(ServiceTraces traces) {
    return traces.utilisation(
        traces.longestPause().untilMicros() + WARM_UP_MICROS, traces.lastMicros());
  }

  private EnforcerJvm enforcer() throws IOException {
    EnforcerJvm enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"), broker.bootstrapServers(), ServiceLoad.ONE_CLOCK);
    open.add(enforcer);
    return enforcer;
  }

  private static void print(TraceCheck.Result result, List<Long> counted) {
    System.out.println("processes: " + result.perRule() + " counted " + counted);
  }

  private static void print(ServiceTraces traces, long killedAt, long restartedAt) {
    ServiceTraces.Pause pause = traces.longestPause();
    System.out.printf(
        Locale.ROOT,
        "processes: no grant for %.2f s, until %.2f s after the kill and %.2f s after the restart;"
            + " utilisation of the strict windows %.3f before and %.3f after%n",
        pause.micros() / 1e6,
        (pause.untilMicros() - killedAt) / 1e6,
        (pause.untilMicros() - restartedAt) / 1e6,
        before(traces, killedAt),
        after(traces));
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
