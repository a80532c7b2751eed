package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Rule;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A lease that is given back while requests hold some of it, and that grants are added to: it is
 * not closed for as long as they do.
 */
class ReopenedSlotsTest {
  private static final Limit TEN = new ConcurrencyLimit(10, 3_600 * SECOND);
  private static final Rule RULE = strict(TEN);

  private final TestBook client = new TestBook(RULE);
  private final KeyPermits permits = client.book.permits(RULE, key("rule", "42"));
  private HeldSlots held = HeldSlots.NONE;

  /** One of four is held. */
  @BeforeEach
  void holds() {
    assertThat(enter()).isNull();
    client.granted(client.grant(TEN, 1, 4));
    held = Objects.requireNonNull(enter());
  }

  private HeldSlots enter() {
    return permits.enter(1, client.now);
  }

  private int entered() {
    int entered = 0;
    while (enter() != null) {
      entered++;
    }
    return entered;
  }

  private CellUsage answered(long granted) {
    client.passes(200 * MILLI);
    CellUsage reported = client.cells().get(0);
    client.answer().grants(client.grant(TEN, 1, granted)).send();
    return reported;
  }

  private static long mayTake(CellUsage cell, long granted) {
    return granted - (cell.taken() - cell.putBack());
  }

  @Test
  void clockThatStoodStill_freeSlotsGoBack_andThoseThatAreAddedAreUsed() {
    client.book.stoodStill(SECOND, client.now);
    assertThat(enter()).isNull();
    CellUsage reported = answered(6);

    assertThat(reported.used()).isEqualTo(1);
    assertThat(mayTake(reported, 6)).isEqualTo(2);
    assertThat(entered()).isEqualTo(2);
    permits.leave(held, 1);
    assertThat(entered()).as("in the place of the one that ended").isEqualTo(1);
  }

  @Test
  void clockThatStoodStill_grantOfNoMore_bringsNothingBack() {
    client.book.stoodStill(SECOND, client.now);
    permits.leave(held, 1);
    assertThat(enter()).isNull();
    CellUsage reported = answered(4);

    assertThat(reported.used()).isZero();
    assertThat(entered()).isZero();
  }

  @Test
  void slotThatEndedWhileTheCellWasOutOfUse_isTheEnforcers() {
    assertThat(enter()).isNotNull();
    client.book.stoodStill(SECOND, client.now);
    assertThat(enter()).isNull();
    permits.leave(held, 1);
    CellUsage reported = answered(6);

    assertThat(mayTake(reported, 6)).isEqualTo(2);
    assertThat(entered()).isEqualTo(2);
  }
}
