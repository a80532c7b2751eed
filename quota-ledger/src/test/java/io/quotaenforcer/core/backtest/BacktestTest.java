package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.backtest.BacktestResult.Against;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyChange;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyCounts;
import io.quotaenforcer.core.backtest.BacktestResult.RuleCounts;
import io.quotaenforcer.core.rule.Rule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BacktestTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_700_000_000L * SECOND;

  @Test
  void fixedWindow_alone_equalsANaiveCount() {
    Seeded.check(
        100,
        random -> {
          long permits = 1 + random.nextInt(20);
          long period = SECOND * (1 + random.nextInt(60));
          Rule rule = Rule.of(id("r"), List.of("user"), new FixedWindow(permits, period));
          Backtest backtest =
              new Backtest(List.of(rule), Optional.empty(), BacktestBounds.DEFAULTS);
          Map<String, Long> usedByWindow = new HashMap<>();
          Map<String, long[]> byUser = new HashMap<>();
          long now = START;
          for (int i = 0; i < 2_000; i++) {
            now += random.nextLong(SECOND);
            String user = "u" + random.nextInt(20);
            long cost = 1 + random.nextInt(3);
            backtest.add(Request.of("user", user).withCost(cost), now);

            long used = usedByWindow.getOrDefault(user + now / period, 0L);
            boolean admitted = used + cost <= permits;
            if (admitted) {
              usedByWindow.put(user + now / period, used + cost);
            }
            long[] counts = byUser.computeIfAbsent(user, it -> new long[3]);
            counts[admitted ? 0 : 1]++;
            counts[2] += admitted ? cost : 0;
          }

          BacktestResult result = backtest.end(1_000);

          Map<String, KeyCounts> expected = new HashMap<>();
          byUser.forEach((user, it) -> expected.put(user, new KeyCounts(it[0], it[1], 0, it[2])));
          Map<String, KeyCounts> found = new HashMap<>();
          result.keys().forEach(it -> found.put(it.quotaKey().values().get(0), it.counts()));
          assertThat(found).isEqualTo(expected);
          assertThat(result.totals())
              .isEqualTo(
                  new Totals(
                      expected.values().stream().mapToLong(KeyCounts::admitted).sum(),
                      expected.values().stream().mapToLong(KeyCounts::throttled).sum(),
                      0));
          assertThat(result.lastNanos()).isEqualTo(now);
        });
  }

  @Test
  void layers_aRequestIsAmongTheCountsOfEachRuleThatMatched() {
    Backtest backtest =
        backtest(List.of(rule("all", 3), rule("per-user", 1, "user")), Optional.empty());

    for (String user : List.of("ann", "ann", "ann", "bob", "cyd", "dan")) {
      backtest.add(Request.of("user", user), START);
    }
    backtest.add(Request.of("user", "ann"), START + SECOND);
    BacktestResult result = backtest.end(2);

    assertThat(result.totals()).isEqualTo(new Totals(4, 3, 0));
    assertThat(result.rules())
        .extracting(it -> it.rule().id().id(), RuleCounts::counts)
        .containsExactly(
            tuple("all", new KeyCounts(4, 1, 2, 4)), tuple("per-user", new KeyCounts(4, 2, 1, 4)));
    assertThat(result.keys())
        .containsExactly(
            new QuotaKeyCounts(key("per-user", "ann"), new KeyCounts(2, 2, 0, 2)),
            new QuotaKeyCounts(key("all"), new KeyCounts(4, 1, 2, 4)));
    assertThat(result.firstNanos()).isEqualTo(START);
    assertThat(result.lastNanos()).isEqualTo(START + SECOND);
    assertThat(result.against()).isEmpty();
  }

  @Test
  void against_requestsThatAreDecidedOtherwise_areCountedWhereTheReasonIs() {
    Rule perUser = rule("per-user", 2, "user");
    Rule perAddress = rule("per-address", 1, "ip");
    Backtest backtest = backtest(List.of(perUser), Optional.of(List.of(perAddress)));

    // ann is throttled now with the third, the address was with the second.
    backtest.add(Request.of("user", "ann", "ip", "::1"), START);
    backtest.add(Request.of("user", "bob", "ip", "::1"), START);
    backtest.add(Request.of("user", "ann", "ip", "::2"), START);
    backtest.add(Request.of("user", "ann", "ip", "::3"), START);
    backtest.add(Request.of("user", "ann"), START);
    BacktestResult result = backtest.end(10);

    assertThat(result.totals()).isEqualTo(new Totals(3, 2, 0));
    Against against = result.against().orElseThrow();
    assertThat(against.totals()).isEqualTo(new Totals(3, 1, 1));
    assertThat(against.change()).isEqualTo(new Change(2, 1));
    assertThat(against.changes())
        .isEqualTo(Map.of(perUser.id(), new Change(2, 0), perAddress.id(), new Change(0, 1)));
    assertThat(against.rules())
        .containsExactly(new RuleCounts(perAddress, new KeyCounts(3, 1, 0, 3), 0, 0));
    assertThat(against.keys())
        .containsExactly(
            new QuotaKeyChange(key("per-user", "ann"), new Change(2, 0)),
            new QuotaKeyChange(key("per-address", "::1"), new Change(0, 1)));
  }

  @Test
  void against_theSameRules_changesNothing() {
    Seeded.check(
        20,
        random -> {
          List<Rule> rules = List.of(rule("all", 5), rule("per-user", 2, "user"));
          Backtest backtest = backtest(rules, Optional.of(rules));
          long now = START;
          for (int i = 0; i < 1_000; i++) {
            now += random.nextLong(SECOND / 4);
            backtest.add(Request.of("user", "u" + random.nextInt(5)), now);
          }

          BacktestResult result = backtest.end(10);

          Against against = result.against().orElseThrow();
          assertThat(result.totals().throttled()).isPositive();
          assertThat(against.totals()).isEqualTo(result.totals());
          assertThat(against.rules()).isEqualTo(result.rules());
          assertThat(against.change()).isEqualTo(Change.NONE);
          assertThat(against.changes()).isEmpty();
          assertThat(against.keys()).isEmpty();
        });
  }

  @Test
  void requests_outOfOrder_areDecidedInOrderOrCountedAsLate() {
    Backtest sorted = backtest(List.of(rule("all", 1)), Optional.empty());
    sorted.add(Request.of(), START + SECOND);
    sorted.add(Request.of(), START);
    assertThat(sorted.end(1).totals()).isEqualTo(new Totals(2, 0, 0));

    Backtest late = backtest(List.of(rule("all", 1)), Optional.empty());
    late.add(Request.of(), START);
    late.add(Request.of(), START + 100 * SECOND);
    late.add(Request.of(), START - SECOND);
    BacktestResult result = late.end(1);
    assertThat(result.totals()).isEqualTo(new Totals(2, 1, 0));
    assertThat(result.late()).isEqualTo(1);
  }

  @Test
  void keys_moreThanMayBeCounted_areSaidNotToBeExact() {
    BacktestBounds bounds = new BacktestBounds(1_000, 10, 1, 0);
    Backtest backtest = new Backtest(List.of(rule("r", 1, "user")), Optional.empty(), bounds);
    for (int i = 0; i < 100; i++) {
      backtest.add(Request.of("user", "busy"), START);
      backtest.add(Request.of("user", "u" + i), START);
    }

    BacktestResult result = backtest.end(1);

    assertThat(result.keysExact()).isFalse();
    assertThat(result.keys())
        .containsExactly(new QuotaKeyCounts(key("r", "busy"), new KeyCounts(1, 99, 0, 1)));
    assertThat(result.rules().get(0).counts().requests()).isEqualTo(200);
  }

  private static Backtest backtest(List<Rule> rules, Optional<List<Rule>> against) {
    return new Backtest(rules, against.map(it -> (Collection<Rule>) it), BacktestBounds.DEFAULTS);
  }

  private static Rule rule(String id, long permits, String... key) {
    return Rule.of(id(id), List.of(key), new FixedWindow(permits, SECOND));
  }

  private static QuotaKey key(String rule, String... values) {
    return QuotaKey.of(id(rule), List.of(values));
  }

  private static RuleId id(String id) {
    return new RuleId("d", id);
  }
}
