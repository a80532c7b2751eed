package io.quotaenforcer.core.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.UsageReport;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionActivityTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId RULE = new RuleId("posts", "per-user");

  private final PartitionActivity activity = new PartitionActivity(0);

  @Test
  void keys_areRankedByEachKindOfPermits() {
    activity.counted(key("a"), List.of(new WindowCount(0, 10, 0)), SECOND);
    activity.counted(key("b"), List.of(new WindowCount(0, 2, 30)), SECOND);
    activity.counted(key("c"), List.of(new WindowCount(0, -5, 1)), SECOND);

    assertThat(keys(Ranking.USED)).containsExactly("a", "b");
    assertThat(keys(Ranking.THROTTLED)).containsExactly("b", "c");
    assertThat(keys(Ranking.DEMAND)).containsExactly("b", "a", "c");
  }

  @Test
  void evenPace_isTheRate_fromTheFirstSecondsOn() {
    for (int i = 1; i <= 600; i++) {
      long now = i * SECOND;
      activity.counted(key("a"), List.of(new WindowCount(0, 7, 3)), now);
      if (i >= 10) {
        PartitionActivity.Rates rates = activity.rates(now);
        assertThat(rates.usedPerSecond()).as("after %d s", i).isCloseTo(7, within(0.5));
        assertThat(rates.throttledPerSecond()).as("after %d s", i).isCloseTo(3, within(0.3));
        assertThat(activity.top(Ranking.DEMAND, 1, now).get(0).sum()).isCloseTo(10, within(0.7));
      }
    }
    assertThat(activity.rates(1_200 * SECOND).usedPerSecond()).isLessThan(0.01);
  }

  /** A successor hears at once what nobody heard for some seconds. */
  @Test
  void reportsThatWaitedForATakeover_areNoBurst() {
    activity.counted(key("a"), List.of(new WindowCount(0, 500, 0)), SECOND / 2);
    assertThat(activity.rates(SECOND).usedPerSecond()).isLessThan(60);
  }

  @Test
  void reports_tellWhoIsThereAndHowLongTheLoopTakes() {
    activity.heard(report("one", 1, 20), SECOND);
    activity.heard(report("two", 2, 40), 2 * SECOND);
    activity.heard(report("one", 1, 0), 3 * SECOND);

    assertThat(activity.instances(3 * SECOND))
        .extracting(heard -> heard.holder().text() + " " + heard.heardNanos() / SECOND)
        .containsExactly("two 2", "one 3");
    assertThat(activity.rates(3 * SECOND).loopNanos()).isCloseTo(30, within(0.5));
    assertThat(activity.instances(700 * SECOND)).isEmpty();
  }

  @Test
  void whateverIsReported_memoryIsBounded() {
    for (int i = 0; i < 10 * PartitionActivity.INSTANCES; i++) {
      activity.heard(report("i" + i, i, 0), SECOND);
      activity.counted(key("k" + i), List.of(new WindowCount(0, 1, 1)), SECOND);
    }
    QuotaKey endless = QuotaKey.of(RULE, Collections.nCopies(10, "x".repeat(200)));
    activity.counted(endless, List.of(new WindowCount(0, 1_000_000, 0)), SECOND);

    assertThat(activity.instances(SECOND)).hasSize(PartitionActivity.INSTANCES);
    assertThat(activity.top(Ranking.USED, Integer.MAX_VALUE, SECOND))
        .hasSize(PartitionActivity.KEYS)
        .noneMatch(hitter -> hitter.key().equals(endless));
    assertThat(activity.rates(SECOND).usedPerSecond()).isGreaterThan(90_000);
  }

  private List<String> keys(Ranking by) {
    return activity.top(by, 10, SECOND).stream()
        .map(hitter -> hitter.key().values().get(0))
        .toList();
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(RULE, List.of(user));
  }

  private static UsageReport report(String instance, long epoch, long loopNanos) {
    return new UsageReport(instance, epoch, 0, loopNanos, 0, List.of());
  }
}
