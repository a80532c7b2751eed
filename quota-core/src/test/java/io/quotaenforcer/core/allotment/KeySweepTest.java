package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeySweepTest {
  private static final Rule BY_USER = rule("by-user", "user");
  private static final Rule BY_BOTH = rule("by-both", "user", "api");
  private static final Rule ALL = rule("all");

  private final HeldKeys held = new HeldKeys();
  private final KeySweep sweep = new KeySweep(held);
  private final BookSettings settings = BookSettings.defaults();
  private final BookContext context = new BookContext(settings, 1, new KeyHash(1, 2));
  private final PartitionLink link = new PartitionLink(settings, 0);

  private static Rule rule(String id, String... attributes) {
    return Rule.of(new RuleId("d", id), List.of(attributes), new FixedWindow(1, TestBook.SECOND));
  }

  private void hold(Rule rule, String... values) {
    QuotaKey key = QuotaKey.of(rule.id(), List.of(values));
    Origin origin = Origin.forgotten(0, 0);
    held.of(rule)
        .compute(
            key,
            before ->
                new KeyAllotment(
                    context, key, new KeyStart(KeyTerms.of(key, rule), link, origin, 0)));
  }

  private List<String> swept(int most) {
    List<String> keys = new ArrayList<>();
    sweep.next(most, key -> keys.add(key.quotaKey().toString()));
    return keys;
  }

  @Test
  void next_moreThanThereAre_seesEachOnceAndStops() {
    hold(BY_USER, "a/b");
    hold(BY_USER, "x".repeat(300));
    hold(BY_BOTH, "a", "b");
    hold(ALL);

    swept(10);
    List<String> round = swept(10);

    assertThat(round)
        .containsExactlyInAnyOrder(
            "d/by-user/a%2Fb",
            QuotaKey.of(BY_USER.id(), List.of("x".repeat(300))).toString(),
            "d/by-both/a/b",
            "d/all");
  }

  @Test
  void next_fewAtATime_comesRound() {
    for (int i = 0; i < 10; i++) {
      hold(BY_USER, "u" + i);
    }

    List<String> keys = new ArrayList<>(swept(1));
    for (int i = 0; i < 3; i++) {
      keys.addAll(swept(3));
    }

    assertThat(keys).hasSize(10).doesNotHaveDuplicates();
    assertThat(sweep.next(9, key -> {})).as("the round is over").isFalse();
    assertThat(sweep.next(1, key -> {})).as("the round is over").isTrue();
    assertThat(sweep.next(11, key -> {})).as("the round is over").isTrue();
    assertThat(swept(1)).isNotEmpty();
  }
}
