package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** Threads that decided by a book, and live on, do not keep it alive. */
class AbandonedBookTest {
  private static final int MOST_COLLECTIONS = 50;

  private static WeakReference<AllotmentBook> decided() {
    TestBook client = new TestBook(balanced(new FixedWindow(300, 10 * SECOND)));
    assertThat(client.admits()).isTrue();
    assertThat(client.book.tryAcquire(Request.of("user", "43"), client.now)).isTrue();
    assertThat(client.book.charge(Request.of("user", "44"), client.now).decision().admitted())
        .isTrue();
    return new WeakReference<>(client.book);
  }

  @Test
  void bookThatNobodyHolds_isCollected() {
    WeakReference<AllotmentBook> book = decided();
    for (int i = 0; i < MOST_COLLECTIONS && book.get() != null; i++) {
      System.gc();
    }
    assertThat(book.get()).isNull();
  }
}
