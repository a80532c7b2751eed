package io.quotaenforcer.enforcer.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.trace.TraceCheck;
import io.quotaenforcer.enforcer.trace.TraceCheck.RuleFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers that keep every record three times, two enforcers and three services, each a
 * process of its own: one broker is killed, then another one stands still, so that nothing can be
 * written and transactions time out; then it goes on.
 */
@Tag("alone")
@Timeout(240)
class ThreeBrokersIT {
  private static final int WARM_UP_SECONDS = 10;
  private static final int CALM_SECONDS = 3;

  /** Until partitions have other leaders, and what has waited is answered. */
  private static final int LEADERLESS_SECONDS = 10;

  /** Longer than a transaction may last. */
  private static final int STILL_SECONDS = 8;

  private static final Duration GOES_ON_TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void strictRules_aBrokerKilledAndOneStandsStill_areNeverOverAndAllIsCounted() throws Exception {
    BrokerJvms brokers = BrokerJvms.start(folder.resolve("brokers"));
    open.add(brokers);
    ServiceLoad.prepare(brokers.bootstrapServers(), folder);
    EnforcerJvm first = enforcer("first", brokers);
    EnforcerJvm second = enforcer("second", brokers);
    ServiceFleet fleet = ServiceFleet.start(folder, brokers.bootstrapServers());
    open.add(fleet);
    fleet.awaitSecond(WARM_UP_SECONDS);

    brokers.broker(0).close();
    fleet.awaitSeconds(LEADERLESS_SECONDS);
    awaitCountsGoOn(first, second);
    brokers.broker(1).signal("STOP");
    fleet.awaitSeconds(STILL_SECONDS);
    brokers.broker(1).signal("CONT");
    awaitCountsGoOn(first, second);
    fleet.awaitSeconds(CALM_SECONDS);
    fleet.stop();

    // Joins them.
    fleet.traces(ServiceLoad.RULES.get(0));
    TraceCheck.Result result = TraceCheck.check(folder);
    List<Long> counted = ServiceFleet.awaitCounts(first, result);
    System.out.println("three brokers: " + result.perRule() + " counted " + counted);
    for (int i = 0; i < ServiceLoad.RULES.size(); i++) {
      Rule rule = ServiceLoad.RULES.get(i);
      RuleFigures figures = result.perRule().get(i);
      if (rule.enforcement() == Enforcement.STRICT) {
        assertThat(figures.worstOver())
            .as(figures.toString())
            .isLessThanOrEqualTo(ServiceLoad.slack(rule));
      }
      assertThat(figures.admitted()).as(figures.toString()).isPositive();
      assertThat(figures.mislabelled()).as(figures.toString()).isZero();
      assertThat(counted.get(i)).as(figures.toString()).isEqualTo(figures.admittedPermits());
    }
  }

  /** Until what is admitted is counted again. */
  private static void awaitCountsGoOn(EnforcerJvm first, EnforcerJvm second) throws Exception {
    await("both enforcers to be ready")
        .atMost(GOES_ON_TIMEOUT)
        .ignoreExceptions()
        .until(
            () ->
                first.get("/health/ready").statusCode() == 200
                    && second.get("/health/ready").statusCode() == 200);
    Rule rule = ServiceLoad.RULES.get(0);
    String attribute = rule.key().names().get(0);
    long[] before = {-1};
    await("counts to grow")
        .atMost(GOES_ON_TIMEOUT)
        .ignoreExceptions()
        .until(
            () -> {
              long used = first.used(ServiceLoad.hotKeys(rule).get(0), attribute);
              boolean grows = before[0] >= 0 && used > before[0];
              before[0] = used;
              return grows;
            });
  }

  private EnforcerJvm enforcer(String name, BrokerJvms brokers) throws Exception {
    EnforcerJvm enforcer =
        EnforcerJvm.start(folder.resolve(name), brokers.bootstrapServers(), ServiceLoad.ONE_CLOCK);
    open.add(enforcer);
    enforcer.awaitReady();
    return enforcer;
  }
}
