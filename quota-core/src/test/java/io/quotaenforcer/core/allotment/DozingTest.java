package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** More keys in use than are looked at all the time: most doze, and nothing is different. */
class DozingTest {
  private static final int KEYS = 520;
  private static final Limit LIMIT = new FixedWindow(1_000, 60 * SECOND);

  private TestBook client = new TestBook(strict(LIMIT));

  /** Each asked once, was granted permits, and used one; then there were some passes. */
  private void allInUse(int keys) {
    for (int user = 0; user < keys; user++) {
      client.decide("user-" + user, 1);
    }
    for (QuotaUsage usage : client.reports()) {
      client
          .answer()
          .of(usage.quotaKey(), 1)
          .remaining(900)
          .grants(client.grant(LIMIT, 5, 10))
          .send();
    }
    for (int user = 0; user < keys; user++) {
      assertThat(client.decide("user-" + user, 1).admitted()).isTrue();
    }
    answeredPasses(300 * MILLI);
  }

  /** Answers every report; how many keys closed their lease. */
  private int answeredPasses(long nanos) {
    int closed = 0;
    for (long end = client.now + nanos; client.now < end; ) {
      client.passes(5 * MILLI);
      for (QuotaUsage usage : client.reports()) {
        List<Long> ended = TestBook.closed(usage.cells());
        closed += ended.contains(5L) ? 1 : 0;
        TestBook.Answer answer = client.answer().of(usage.quotaKey(), 1).remaining(900);
        usage.cells().stream()
            .filter(cell -> cell.id() == 5 && !cell.closed())
            .forEach(cell -> answer.grants(client.grant(LIMIT, 5, cell.granted())));
        answer.settled(ended.toArray(Long[]::new)).send();
      }
    }
    return closed;
  }

  @Test
  void idleKeys_giveBackWhatTheyHold_andTheBookIsQuiet() {
    allInUse(KEYS);
    assertThat(client.book.isQuiet()).isFalse();
    assertThat(answeredPasses(3 * SECOND)).isEqualTo(KEYS);
    assertThat(client.book.isQuiet()).isTrue();
  }

  @Test
  void requestForADozingKey_isReportedAsOfAnyOther() {
    allInUse(KEYS);
    client.decide("user-7", 9);
    Map<String, Long> used = new HashMap<>();
    for (int i = 0; i < 8; i++) {
      client.passes(5 * MILLI);
      for (QuotaUsage usage : client.reports()) {
        used.put(
            usage.quotaKey().toString(), usage.cells().stream().mapToLong(CellUsage::used).sum());
      }
    }
    assertThat(used).containsEntry(key("rule", "user-7").toString(), 10L);
    assertThat(answeredPasses(3 * SECOND)).isEqualTo(KEYS);
    assertThat(client.book.isQuiet()).as("it does not doze for ever").isTrue();
  }
}
