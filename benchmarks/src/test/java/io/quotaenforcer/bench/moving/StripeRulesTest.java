package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import io.quotaenforcer.simulation.Timeline;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The four limiters of Stripe's article, as rules at eight instances, each under its load. */
class StripeRulesTest {
  private static final Path RULES = Path.of("../topology-docs/samples/stripe-rules.yaml");
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int INSTANCES = 8;
  private static final int PARTITIONS = 4;

  private final Timeline time = new Timeline(START);
  private final SplittableRandom random = new SplittableRandom(5);
  private final SimulatedFleet fleet =
      new SimulatedFleet(rules(), INSTANCES, PARTITIONS, Ledgers.inMemory(), time, random.split());
  private final Map<String, long[]> askedAndAdmitted = new TreeMap<>();
  private long countedFrom = START;

  private static RuleSet rules() {
    RuleFile file = RuleFileLoader.load(RULES);
    assertThat(file).isInstanceOf(RuleFile.Valid.class);
    List<Rule> rules =
        ((RuleFile.Valid) file).rules().stream().map(rule -> rule.withVersion(1, 1)).toList();
    assertThat(rules).hasSize(4);
    return RuleSet.of(rules);
  }

  private static Request request(String user, String api, String mode) {
    String[] words = api.split(" ");
    return Request.of(
        "user", user, "api", api, "method", words[0], "endpoint", words[1], "mode", mode);
  }

  /** Requests at any instance, as often on average, until a time. */
  private void load(String name, Request request, double perSecond, long until) {
    long at = later(perSecond);
    if (at < until) {
      time.at(
          at,
          () -> {
            boolean admitted = fleet.decide(random.nextInt(INSTANCES), request).admitted();
            if (at >= countedFrom) {
              long[] counts = askedAndAdmitted.computeIfAbsent(name, n -> new long[2]);
              counts[0]++;
              counts[1] += admitted ? 1 : 0;
            }
            load(name, request, perSecond, until);
          });
    }
  }

  private long later(double perSecond) {
    return time.now() + (long) (-Math.log(1 - random.nextDouble()) * SECOND / perSecond);
  }

  private double served(String name) {
    long[] counts = askedAndAdmitted.get(name);
    return (double) counts[1] / counts[0];
  }

  @Test
  void requestRate_ofAGreedyUser_isHeld_andOthersAreServed() {
    countedFrom = START + 8 * SECOND;
    long end = countedFrom + 10 * SECOND;
    load("greedy", request("greedy", "GET /customers", "live"), 400, end);
    load("other", request("other", "GET /customers", "live"), 50, end);
    time.runUntil(end);

    assertThat(served("greedy")).isBetween(0.22, 0.27);
    assertThat(served("other")).isGreaterThanOrEqualTo(0.99);
  }

  @Test
  void concurrentRequests_ofAUser_areTwentyAtMost() {
    long end = START + 20 * SECOND;
    long[] runningAndMost = new long[2];
    enters(request("slow", "GET /reports", "live"), end, runningAndMost);
    time.runUntil(end);

    assertThat(runningAndMost[1]).isBetween(18L, 20L);
  }

  /** Sixty a second that take half a second each: thirty at once, if they could. */
  private void enters(Request request, long end, long[] runningAndMost) {
    long at = later(60);
    if (at < end) {
      time.at(
          at,
          () -> {
            Charge charge = fleet.enter(random.nextInt(INSTANCES), request);
            if (charge.decision().admitted()) {
              runningAndMost[0]++;
              runningAndMost[1] = Math.max(runningAndMost[1], runningAndMost[0]);
              time.at(
                  time.now() + SECOND / 2,
                  () -> {
                    runningAndMost[0]--;
                    charge.settle(1, time.now());
                  });
            }
            enters(request, end, runningAndMost);
          });
    }
  }

  @Test
  void fleet_withThreeTimesItsLoad_servesWhatIsCritical() {
    countedFrom = START + 6 * SECOND;
    long end = countedFrom + 10 * SECOND;
    for (int i = 0; i < 40; i++) {
      String user = "user-" + i;
      load("other", request(user, "GET /list-" + i % 10, "live"), 75, end);
      load("critical", request(user, "POST /charges", "live"), 4, end);
    }
    time.runUntil(end);

    assertThat(served("critical")).isGreaterThanOrEqualTo(0.99);
    assertThat(served("other")).isBetween(0.2, 0.34);
  }

  @Test
  void workers_withTooLittleForAll_shedTestTrafficFirst_thenReads() {
    countedFrom = START + 6 * SECOND;
    long end = countedFrom + 10 * SECOND;
    for (int i = 0; i < 20; i++) {
      String user = "user-" + i;
      load("writes", request(user, "POST /invoices", "live"), 15, end);
      load("reads", request(user, "GET /invoices", "live"), 15, end);
      load("test", request(user, "GET /invoices", "test"), 10, end);
    }
    time.runUntil(end);

    System.out.printf(
        "workers: of writes %.3f, of reads %.3f, of test %.3f%n",
        served("writes"), served("reads"), served("test"));
    assertThat(served("writes")).isGreaterThanOrEqualTo(0.98);
    assertThat(served("reads")).isBetween(0.33, 0.6);
    assertThat(served("test")).isLessThan(0.1);
  }
}
