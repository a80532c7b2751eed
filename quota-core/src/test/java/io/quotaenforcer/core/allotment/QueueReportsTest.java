package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a queue takes is in the next report, whenever that is asked for. */
class QueueReportsTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));
  private final QueuePermits queue = client.book.queue(strict(LIMIT), key("rule", "42"));

  private void granted() {
    queue.backlog(9, client.now);
    client.granted(client.grant(LIMIT, 5, 3));
    client.passes(MILLI);
    assertThat(client.reports()).isEmpty();
  }

  @Test
  void taken_isReportedAtOnce_andOnce() {
    granted();
    assertThat(queue.tryTake(2, client.now, client.now)).isPresent();
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::used)
        .containsExactly(2L);

    client.passes(MILLI);
    assertThat(client.reports()).isEmpty();
  }

  @Test
  void taken_hasTheOwnerOfTheBookLook() {
    granted();
    AtomicInteger signals = new AtomicInteger();
    client.book.whenWoken(signals::incrementAndGet);
    assertThat(queue.tryTake(4, client.now, client.now)).isEmpty();
    assertThat(signals).as("there is nothing to report").hasValue(0);
    assertThat(queue.tryTake(2, client.now, client.now)).isPresent();
    assertThat(signals).hasValue(1);
  }

  @Test
  void share_bringsWhatItCanHold_whetherTheEnforcerIsThereOrNot() {
    Limit bucket = new TokenBucket(100, SECOND, 100);
    TestBook other = new TestBook(strict(bucket));
    QueuePermits sharing = other.book.queue(strict(bucket), key("rule", "42"));
    assertThat(sharing.quotaKey()).isEqualTo(key("rule", "42"));
    sharing.backlog(1, other.now);
    assertThat(sharing.renews(1, other.now)).isFalse();
    other.granted(other.share(7, 1, 10));
    assertThat(sharing.renews(10, other.now)).isTrue();
    assertThat(sharing.renews(11, other.now)).isFalse();
    assertThat(sharing.isAway(other.now)).isFalse();
    other.reports();
    other.passes(20 * MILLI);
    sharing.backlog(2, other.now);
    other.reports();
    other.passes(SECOND);
    assertThat(sharing.isAway(other.now)).isTrue();
    assertThat(sharing.renews(10, other.now)).isTrue();
  }

  @Test
  void window_doesNotBringPermitsOneByOne() {
    granted();
    assertThat(queue.renews(1, client.now)).isFalse();
  }

  @Test
  void backlog_movesToTheObjectThatStandsForTheKey() {
    queue.backlog(9, client.now);
    assertThat(client.report().orElseThrow().needed()).isEqualTo(9);
    client.apply(strict(LIMIT).withVersion(2, 2));
    queue.backlog(4, client.now);
    client.passes(20 * MILLI);
    assertThat(client.reports()).extracting(QuotaUsage::needed).contains(4L).doesNotContain(9L);
  }

  @Test
  void backlogOfNothing_makesNoKey() {
    queue.backlog(0, client.now);
    assertThat(client.book.size()).isZero();
    queue.backlog(1, client.now);
    assertThat(client.book.size()).isOne();
  }
}
