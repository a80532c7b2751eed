package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingReportsTest {
  private static final QuotaUsage FIRST = usage("1");
  private static final QuotaUsage SECOND = usage("2");

  private final WaitingReports waiting = new WaitingReports();

  @Test
  void areDue_onlyOnceACommitCameAfterTheFirst() {
    assertThat(waiting.areDue(9)).isFalse();
    waiting.add(report("a", 1, FIRST), FIRST, false, 4);
    waiting.add(report("b", 1, FIRST), FIRST, false, 5);
    assertThat(waiting.areDue(4)).isFalse();
    assertThat(waiting.areDue(5)).isTrue();
  }

  @Test
  void add_newerReportOfTheSameKey_replacesTheOlder() {
    waiting.add(report("a", 1, FIRST), FIRST, false, 1);
    waiting.add(report("a", 2, FIRST), FIRST, false, 1);
    assertThat(taken()).extracting(UsageReport::sentNanos).containsExactly(2L);
    assertThat(waiting.isEmpty()).isTrue();
  }

  @Test
  void take_keepsTheKeysOfOneReportTogether_andLeavesOutWhatWasForgotten() {
    UsageReport both = report("a", 1, FIRST, SECOND);
    waiting.add(both, FIRST, false, 1);
    waiting.add(both, SECOND, false, 1);
    waiting.add(report("b", 1, FIRST), FIRST, false, 1);
    waiting.forget(report("b", 2, FIRST), FIRST);
    assertThat(taken())
        .singleElement()
        .satisfies(report -> assertThat(report.quotas()).containsExactly(FIRST, SECOND));
  }

  @Test
  void putBack_waitsForOneCommitMore_unlessANewerReportOfTheKeyCame() {
    waiting.add(report("a", 1, FIRST), FIRST, false, 1);
    waiting.addUnanswered(report("b", 1), 1);
    List<WaitingReports.Taken> taken = waiting.take();
    waiting.putBack(taken.get(0), 2);
    waiting.putBack(taken.get(1), 2);

    assertThat(waiting.areDue(2)).isFalse();
    assertThat(waiting.areDue(3)).isTrue();
    waiting.forget(report("a", 2, FIRST), FIRST);
    assertThat(taken()).extracting(UsageReport::instance).containsExactly("b");
  }

  @Test
  void putBack_forTooManyCommits_isForgotten() {
    waiting.add(report("a", 1, FIRST, SECOND), FIRST, false, 1);
    waiting.addUnanswered(report("b", 1), 1);
    int last = 1 + WaitingReports.MOST_COMMITS;
    for (int commit = 2; commit <= last; commit++) {
      putAllBack(commit);
    }
    assertThat(waiting.size()).isEqualTo(1);

    waiting.add(report("c", 1, SECOND), SECOND, false, last);
    putAllBack(last + 1);

    assertThat(taken()).extracting(UsageReport::instance).containsExactly("c");
  }

  private void putAllBack(long commit) {
    assertThat(waiting.areDue(commit)).isTrue();
    waiting.take().forEach(each -> waiting.putBack(each, commit));
  }

  private List<UsageReport> taken() {
    return waiting.take().stream().map(WaitingReports.Taken::report).toList();
  }

  private static UsageReport report(String instance, long sentNanos, QuotaUsage... usages) {
    return new UsageReport(instance, 1, sentNanos, 0, 0, List.of(usages));
  }

  private static QuotaUsage usage(String user) {
    QuotaKey key = QuotaKey.of(new RuleId("test", "rule"), List.of(user));
    return new QuotaUsage(key, 1, 1, 0, List.of());
  }
}
