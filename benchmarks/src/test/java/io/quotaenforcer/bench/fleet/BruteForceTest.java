package io.quotaenforcer.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Ending;
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
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords are guessed at a hundred instances at once, where five may fail in ten minutes. */
class BruteForceTest {
  private static final Path RULES = Path.of("../topology-docs/samples/login-rules.yaml");
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int INSTANCES = 100;
  private static final int PARTITIONS = 4;
  private static final long WAIT = 2 * SECOND;
  private static final int OF_ACCOUNT = 5;
  private static final int OF_NETWORK = 50;

  private final Timeline time = new Timeline(START);
  private int asked;
  private int passed;
  private int underWay;
  private int mostUnderWay;

  /** Who logs in, one login after the other at each instance, and what comes of it. */
  private record Attempts(
      SimulatedFleet fleet,
      IntFunction<Request> next,
      String status,
      long until,
      SplittableRandom random) {}

  private static SimulatedFleet fleet(Timeline time, SplittableRandom random) {
    RuleFile file = RuleFileLoader.load(RULES);
    assertThat(file).isInstanceOf(RuleFile.Valid.class);
    List<Rule> rules =
        ((RuleFile.Valid) file).rules().stream().map(rule -> rule.withVersion(1, 1)).toList();
    return new SimulatedFleet(
        RuleSet.of(rules), INSTANCES, PARTITIONS, Ledgers.inMemory(), time, random);
  }

  private static Request login(String account, String ip) {
    return Request.of("api", "POST /login", "account", account, "ip", ip);
  }

  /** One login that ends after up to a third of a second, and then the next. */
  private void tries(Attempts attempts, int instance) {
    if (time.now() >= attempts.until) {
      return;
    }
    attempts
        .fleet
        .reserve(instance, attempts.next.apply(asked++), WAIT)
        .thenAccept(
            charge -> {
              boolean admitted = charge.decision().admitted();
              if (admitted) {
                passed++;
                underWay++;
                mostUnderWay = Math.max(mostUnderWay, underWay);
              }
              time.at(
                  time.now() + 50 * MILLI + attempts.random.nextLong(250 * MILLI),
                  () -> {
                    if (admitted) {
                      underWay--;
                      settle(charge, attempts.status);
                    }
                    tries(attempts, instance);
                  });
            });
  }

  private void settle(Charge charge, String status) {
    assertThat(charge.settle(new Ending.Told(1, Map.of("status", status)), time.now())).isTrue();
  }

  private void everywhere(Attempts attempts) {
    for (int i = 0; i < INSTANCES; i++) {
      int instance = i;
      time.at(time.now() + attempts.random.nextLong(50 * MILLI), () -> tries(attempts, instance));
    }
    time.runUntil(attempts.until + WAIT + SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void guessesAtOneAccount_fromEverywhere_areFive_andItsOwnersLoginsCountNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedFleet fleet = fleet(time, random.split());
    long until = START + 15 * SECOND;
    tries(new Attempts(fleet, i -> login("ann", "192.0.2.1"), "200", until, random), 0);
    time.runUntil(until + 5 * SECOND);
    assertThat(passed).as("logins of seed %d", seed).isGreaterThan(8 * OF_ACCOUNT);
    passed = 0;

    IntFunction<Request> guess = i -> login("ann", "10.0." + i % 256 + ".1");
    everywhere(new Attempts(fleet, guess, "401", time.now() + 20 * SECOND, random));
    System.out.printf("seed %d: %d of %d guesses at an account%n", seed, passed, asked);
    assertThat(passed).as("guesses of seed %d", seed).isEqualTo(OF_ACCOUNT);
    assertThat(mostUnderWay).as("at once, of seed %d", seed).isLessThanOrEqualTo(OF_ACCOUNT);
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void guessesAtManyAccounts_fromOneNetwork_areFifty(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedFleet fleet = fleet(time, random.split());

    IntFunction<Request> guess = i -> login("user-" + i, "192.0.2." + i % 256);
    everywhere(new Attempts(fleet, guess, "401", START + 20 * SECOND, random));
    System.out.printf("seed %d: %d of %d guesses from a network%n", seed, passed, asked);
    assertThat(passed).as("guesses of seed %d", seed).isEqualTo(OF_NETWORK);
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void loginsOfOneAccount_everywhereAtOnce_areFiveAtATime_andGoOn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedFleet fleet = fleet(time, random.split());

    IntFunction<Request> login = i -> login("ann", "10.0." + i % 256 + ".1");
    everywhere(new Attempts(fleet, login, "200", START + 10 * SECOND, random));
    System.out.printf("seed %d: %d of %d logins%n", seed, passed, asked);
    assertThat(mostUnderWay).as("at once, of seed %d", seed).isLessThanOrEqualTo(OF_ACCOUNT);
    assertThat(passed).as("logins of seed %d", seed).isGreaterThan(10 * OF_ACCOUNT);
  }
}
