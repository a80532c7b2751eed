package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An instance with so many quota keys in use that it does not look at each of them all the time,
 * beside the real ledger.
 */
class ManyKeysRunTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long TICK = 5 * MILLI;
  private static final int KEYS = 1_000;
  private static final int REQUESTS_A_TICK = 4;

  private record Message(long at, Runnable arrives) {}

  private final PriorityQueue<Message> underWay =
      new PriorityQueue<>(Comparator.comparingLong(Message::at));
  private final EnforcerRun.Kept kept = new EnforcerRun.Kept();
  private final AllotmentBook book =
      new AllotmentBook(BookSettings.defaults(), LoopSimulation.MAX_INSTANCES, 0);
  private long now = 1_000 * SECOND;
  private SplittableRandom random = new SplittableRandom(0);

  static Stream<Rule> rules() {
    return Stream.of(
            new FixedWindow(1_000, SECOND),
            new SlidingWindow(1_000, SECOND),
            new SlidingWindow(20, 10 * SECOND),
            new TokenBucket(10, SECOND, 10))
        .flatMap(
            limit -> Stream.of(rule(limit, Enforcement.BALANCED), rule(limit, Enforcement.STRICT)));
  }

  private static Rule rule(Limit limit, Enforcement enforcement) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void requests_ofManyKeys_areCountedExactly_andNoneIsThrottledBelowItsLimit(Rule rule) {
    Seeded.checkSeed(
        Long.getLong("seed", System.nanoTime()),
        seeded -> {
          random = seeded;
          run(rule);
        });
  }

  private void run(Rule rule) {
    RuleSet rules = RuleSet.of(List.of(rule));
    EnforcerRun enforcer =
        new EnforcerRun(
            Conditions.of(new LoopSimulation.Network(10 * MILLI, 0, 0)).ledgerSettings(),
            () -> now,
            kept,
            (key, clock, enforcerNanos, before, after) -> {},
            (key, told) -> {});
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, LoopSimulation.MAX_INSTANCES), now);
    book.applyRules(rules, now);

    long admitted = 0;
    long throttled = 0;
    long end = now + 6 * SECOND;
    while (now < end) {
      tick(enforcer, rules);
      for (int i = 0; i < REQUESTS_A_TICK; i++) {
        boolean admits = book.decide(request(random.nextInt(KEYS)), now).admitted();
        admitted += admits ? 1 : 0;
        throttled += admits ? 0 : 1;
      }
    }
    for (end = now + 10 * SECOND; now < end && !book.isQuiet(); ) {
      tick(enforcer, rules);
    }
    now += SECOND;
    enforcer.commit(rules);

    assertThat(kept.counted).as("counted").isEqualTo(admitted);
    assertThat(book.isQuiet()).as("nothing is left to say").isTrue();
    if (rule.enforcement() == Enforcement.BALANCED) {
      assertThat(throttled).as("throttled").isZero();
    }
  }

  private static Request request(int user) {
    return Request.of("user", "user-" + user);
  }

  private void tick(EnforcerRun enforcer, RuleSet rules) {
    now += TICK;
    while (!underWay.isEmpty() && underWay.peek().at <= now) {
      underWay.remove().arrives.run();
    }
    if (now % (10 * TICK) == 0) {
      enforcer.commit(rules);
    }
    for (PartitionReport report : book.reports(now)) {
      UsageReport message =
          new UsageReport("instance", 1, now, report.loopNanos(), 0, report.quotas());
      send(() -> enforcer.process(new EnforcerRun.Input(message, this::answer, false), rules));
    }
  }

  private void answer(QuotaSnapshot snapshot) {
    send(() -> book.applySnapshot(snapshot, now));
  }

  private void send(Runnable arrives) {
    underWay.add(new Message(now + random.nextLong(MILLI, 40 * MILLI), arrives));
  }
}
