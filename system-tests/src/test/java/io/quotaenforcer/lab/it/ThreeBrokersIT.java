package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.BrokerJvms;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.trace.TraceCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers that keep every record three times, two enforcers and three services, each a
 * process of its own. First one broker stands still for so long that the others lead in its place,
 * and transactions that it coordinated time out; it goes on. Then one is killed, and another stands
 * still once more: one of three is left, so that nothing can be written, nobody elects a leader,
 * and no transaction is ended either; then it goes on, and all that waited is written.
 */
@Tag("alone")
@Timeout(900)
class ThreeBrokersIT {
  private static final int WARM_UP_SECONDS = 5;
  private static final int CALM_SECONDS = 3;

  /** Until partitions have other leaders, and what has waited is answered. */
  private static final int LEADERLESS_SECONDS = 10;

  /** Until a broker that stands still leads nothing any more, and longer than a transaction may. */
  private static final int DEPOSED_SECONDS = 15;

  /**
   * A transaction that its new coordinator loads may still be committed before it is ended: then a
   * broker stands still once more.
   */
  private static final int MOST_DEPOSED = 3;

  /**
   * Takeovers that the test brings about beside those: a broker killed, and one that stands still.
   */
  private static final int DELIBERATE = 2;

  /** Longer than a transaction may last. */
  private static final int STILL_SECONDS = 8;

  private static final List<String> REFUSALS =
      List.of("fenced", "ProducerFenced", "InvalidProducerEpoch", "not aware of this member");

  private static final Duration GOES_ON_TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  /** The log lines of an enforcer whose transaction ended without it, or whose turn did. */
  private static boolean isRefused(String line) {
    return REFUSALS.stream().anyMatch(line::contains);
  }

  @Test
  void strictRules_aBrokerKilledAndOneStandsStill_areNeverOverAndAllIsCounted() throws Exception {
    BrokerJvms brokers = BrokerJvms.start(folder.resolve("brokers"));
    open.add(brokers);
    ServiceLoad.prepare(brokers.bootstrapServers(), folder);
    List<EnforcerJvm> enforcers =
        EnforcerJvm.startAll(
            folder, List.of("first", "second"), brokers.bootstrapServers(), ServiceLoad.ONE_CLOCK);
    enforcers.forEach(open::add);
    EnforcerJvm first = enforcers.get(0);
    EnforcerJvm second = enforcers.get(1);
    ServiceJvms fleet = ServiceFleet.start(folder, brokers.bootstrapServers());
    open.add(fleet);
    fleet.awaitSecond(WARM_UP_SECONDS);

    for (int i = 0; i < MOST_DEPOSED && refusals(first, second) == 0; i++) {
      brokers.broker(1).signal("STOP");
      fleet.awaitSeconds(DEPOSED_SECONDS);
      brokers.broker(1).signal("CONT");
      awaitCountsGoOn(first, second);
    }
    System.out.println("three brokers: refused " + refusals(first, second));

    brokers.broker(0).close();
    fleet.awaitSeconds(LEADERLESS_SECONDS);
    awaitCountsGoOn(first, second);
    brokers.broker(1).signal("STOP");
    fleet.awaitSeconds(STILL_SECONDS);
    brokers.broker(1).signal("CONT");
    awaitCountsGoOn(first, second);
    System.out.println("three brokers: in the end " + refusals(first, second));
    fleet.awaitSeconds(CALM_SECONDS);
    fleet.stop();

    // Joins them.
    ServiceFleet.traces(folder, ServiceLoad.RULES.get(0));
    TraceCheck.Result result = TraceCheck.check(folder);
    List<Long> counted = ServiceFleet.awaitCounts(first, result);
    System.out.println("three brokers: " + result.perRule() + " counted " + counted);
    TracePromises.of(ServiceLoad.RULES)
        .withSlack(rule -> ServiceLoad.slackAfter(MOST_DEPOSED + DELIBERATE, rule))
        .withOpened(ServiceLoad::askedAcrossABorder)
        .withMore(ServiceLoad::mostAfterTakeovers)
        .assertKept(result);
    TracePromises.assertCounted(result, counted);
    // Which of commit and time-out comes first is chance, however often a broker stands still.
    assumeThat(refusals(first, second))
        .as("SKIPPED in part: all was kept, but no transaction ended unheard")
        .isPositive();
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

  private static long refusals(EnforcerJvm... enforcers) {
    return Stream.of(enforcers)
        .flatMap(enforcer -> enforcer.jvm().err().stream())
        .filter(ThreeBrokersIT::isRefused)
        .count();
  }
}
