package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
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
}
