package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RuleSetModelTest {
  private static final long SECOND = 1_000_000_000L;

  private static Rule rule(String id, long permits) {
    return Rule.of(new RuleId("d", id), List.of("user"), new FixedWindow(permits, SECOND));
  }

  /** Sets that were looked into and those that were not: each is what its changes made of it. */
  @Test
  void anyChanges_everySetOnTheWay_isWhatAMapWouldBe() {
    Seeded.check(
        500,
        random -> {
          RuleSet set = RuleSet.empty();
          TreeMap<RuleId, Rule> model = new TreeMap<>();
          List<RuleSet> sets = new ArrayList<>();
          List<TreeMap<RuleId, Rule>> models = new ArrayList<>();
          for (int i = 0; i < 40; i++) {
            Rule rule = rule("r" + random.nextInt(6), 1 + random.nextInt(9));
            if (random.nextInt(3) == 0) {
              set = set.without(rule.id());
              model.remove(rule.id());
            } else {
              set = set.with(rule);
              model.put(rule.id(), rule);
            }
            if (random.nextInt(4) == 0) {
              assertThat(set.rules()).containsExactlyElementsOf(model.values());
            }
            sets.add(set);
            models.add(new TreeMap<>(model));
          }
          for (int i = sets.size() - 1; i >= 0; i--) {
            assertThat(sets.get(i).rules()).containsExactlyElementsOf(models.get(i).values());
            for (int id = 0; id < 6; id++) {
              RuleId name = new RuleId("d", "r" + id);
              assertThat(sets.get(i).rule(name).orElse(null)).isEqualTo(models.get(i).get(name));
            }
          }
        });
  }

  @Test
  void of_twoRulesOfOneName_hasTheLast() {
    RuleSet set = RuleSet.of(List.of(rule("a", 1), rule("a", 2)));

    assertThat(set.rules()).containsExactly(rule("a", 2));
    assertThat(set.match(Request.of("user", "1"))).hasSize(1);
  }

  @Test
  void match_listIsTheCallers() {
    RuleSet set = RuleSet.of(List.of(rule("a", 1), rule("b", 1)));
    set.match(Request.of("user", "1")).clear();

    assertThat(set.match(Request.of("user", "1"))).hasSize(2);
  }

  @Test
  void match_conditionThatIsGivenUp_isTold_andTheRuleMatches() {
    Rule rule = rule("a", 1).withMatch(Map.of("path", new Matcher.Regex(Pattern.compile("x*"))));
    RuleSet set = RuleSet.of(List.of(rule, rule("b", 1)));
    List<String> unsure = new ArrayList<>();
    String awkward = "x".repeat(Matcher.Regex.MAX_VALUE_CHARS + 1);

    List<RuleSet.Match> matches =
        set.match(
            Request.of("user", "1", "path", awkward),
            (id, attribute) -> unsure.add(id + " " + attribute));

    assertThat(matches).extracting(match -> match.rule().id().id()).containsExactly("a", "b");
    assertThat(unsure).containsExactly("d/a path");
    unsure.clear();
    set.match(
        Request.of("user", "1", "path", "xx"), (id, attribute) -> unsure.add(id + " " + attribute));
    assertThat(unsure).isEmpty();
  }

  /** No set is ever seen half made, by whichever thread makes it. */
  @Test
  void manyThreads_lookIntoANewSetAtOnce_allSeeTheSame() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      RuleSet set = RuleSet.empty();
      for (int i = 0; i < 200; i++) {
        set = set.with(rule("r" + i, 1));
      }
      RuleSet shared = set;
      AtomicInteger wrong = new AtomicInteger();
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean matches = i % 2 == 0;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    start.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  int seen =
                      matches
                          ? shared.match(Request.of("user", "1")).size()
                          : shared.rules().size();
                  wrong.addAndGet(seen == 200 ? 0 : 1);
                });
        thread.start();
        threads.add(thread);
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(wrong).as("round %d", round).hasValue(0);
    }
  }
}
