package io.quotaenforcer.enforcer.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.cli.QuotaRun;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import io.quotaenforcer.enforcer.rules.RuleYaml;
import io.quotaenforcer.enforcer.trace.TraceCheck;
import io.quotaenforcer.enforcer.trace.TraceCheck.RuleFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two enforcers with a standby copy of each store, and three services, each a process of its own,
 * on a real broker: one enforcer crashes, stands still, or both are restarted in turn.
 */
@Timeout(150)
class FailoverIT {
  /** From the start of the load until the code of all processes has been compiled. */
  private static final int WARM_UP_SECONDS = 6;

  private static final int BEFORE_SECONDS = 5;
  private static final int AFTER_SECONDS = 5;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private EmbeddedBroker broker;

  @BeforeEach
  void startBroker() throws IOException {
    broker = EmbeddedBroker.start();
    open.add(broker);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RuleYaml.file(ServiceLoad.DOMAIN, ServiceLoad.RULES));
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    String most = "--max-instances=" + ProcessesIT.MAX_INSTANCES;
    QuotaRun.done("topics", "create", "--partitions=4", most, server);
    QuotaRun.done("rules", "apply", rules.toString(), server);
  }

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void strictRules_enforcersRestartedInTurn_admitMostOfTheLimit() throws Exception {
    EnforcerJvm[] enforcers = {enforcer("a"), enforcer("b")};
    ServiceFleet fleet = fleet();
    LoopPhases phases = new LoopPhases();
    phases.begin("before");
    fleet.awaitSeconds(BEFORE_SECONDS);
    phases.begin("restart");
    for (int i = 0; i < enforcers.length; i++) {
      long from = nowMicros();
      enforcers[i].terminate();
      long ended = nowMicros();
      enforcers[i] = enforcer(i == 0 ? "a" : "b");
      System.out.printf(
          "restart: ended after %.2f s, ready again after %.2f s%n",
          (ended - from) / 1e6, (nowMicros() - from) / 1e6);
      fleet.awaitSeconds(3);
    }
    phases.begin("after");
    fleet.awaitSeconds(AFTER_SECONDS);
    phases.end();
    fleet.stop();

    check(enforcers[0], phases, fleet);
  }

  @Test
  void strictRules_enforcerKilledAndAnotherPaused_areNeverOverAndAllIsCounted() throws Exception {
    EnforcerJvm first = enforcer("a");
    EnforcerJvm second = enforcer("b");
    ServiceFleet fleet = fleet();
    LoopPhases phases = new LoopPhases();
    phases.begin("before");
    fleet.awaitSeconds(BEFORE_SECONDS);
    phases.begin("killed");
    first.close();
    fleet.awaitSeconds(10);
    phases.begin("back");
    first = enforcer("a");
    fleet.awaitSeconds(AFTER_SECONDS);
    phases.begin("paused");
    second.jvm().signal("STOP");
    fleet.awaitSeconds(20);
    phases.begin("continued");
    second.jvm().signal("CONT");
    fleet.awaitSeconds(AFTER_SECONDS);
    phases.end();
    fleet.stop();

    check(first, phases, fleet);
    System.out.println(second.jvm());
  }

  private void check(EnforcerJvm enforcer, LoopPhases phases, ServiceFleet fleet) throws Exception {
    TraceCheck.Result result = checkTraces(fleet);
    List<Long> counted = ServiceFleet.awaitCounts(enforcer, result);
    System.out.println("failover: " + result.perRule() + " counted " + counted);
    List<LoopLog.Loop> loops = LoopLog.read(folder, ServiceFleet.NAMES);
    for (LoopPhases.Phase phase : phases.all()) {
      StringBuilder line = new StringBuilder("failover: " + phase.describe(loops));
      for (Rule rule : ServiceLoad.RULES) {
        ServiceTraces traces = fleet.traces(rule);
        line.append(
            String.format(
                "; %s %.3f of the limit, %.3f of all",
                rule.id().id(),
                traces.ofLimit(
                    ServiceLoad.hotKeys(rule), phase.fromMicros(), phase.untilMicros()),
                traces.utilisation(phase.fromMicros(), phase.untilMicros())));
      }
      System.out.println(line);
    }
    for (int i = 0; i < ServiceLoad.RULES.size(); i++) {
      RuleFigures figures = result.perRule().get(i);
      assertThat(figures.mislabelled()).as(figures.toString()).isZero();
      assertThat(figures.worstOver())
          .as(figures.toString())
          .isLessThanOrEqualTo(bound(ServiceLoad.RULES.get(i), figures));
      assertThat(counted.get(i)).as(figures.toString()).isEqualTo(figures.admittedPermits());
    }
  }

  private TraceCheck.Result checkTraces(ServiceFleet fleet) throws IOException {
    fleet.traces(ServiceLoad.RULES.get(0));
    return TraceCheck.check(folder);
  }

  private static long bound(Rule rule, RuleFigures figures) {
    return rule.enforcement() == Enforcement.STRICT
        ? 0
        : figures.bound()
            + Bound.away(
                rule.onUnavailable(),
                rule.limit(),
                ServiceFleet.NAMES.size(),
                ProcessesIT.MAX_INSTANCES);
  }

  private EnforcerJvm enforcer(String name) throws IOException {
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve(name), broker.bootstrapServers());
    open.add(enforcer);
    enforcer.awaitReady();
    return enforcer;
  }

  private ServiceFleet fleet() throws IOException {
    ServiceFleet fleet = ServiceFleet.start(folder, broker.bootstrapServers());
    open.add(fleet);
    fleet.awaitSecond(WARM_UP_SECONDS);
    return fleet;
  }

  static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
