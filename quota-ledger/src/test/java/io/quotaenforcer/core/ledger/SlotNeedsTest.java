package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How slots are divided among holders, as others hold them. */
class SlotNeedsTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);

  private final List<Holder> holders = new ArrayList<>();

  /** Of a lease, as many slots as its requests hold now. */
  private static Holder holder(String id, double slots, long inUse, long leased) {
    CellUsage usage = CellUsage.of(2, 0).withGranted(inUse + leased).withTaken(inUse);
    LedgerCell cell = LedgerCell.granted(2, 0, inUse + leased, NOW + SECOND).withUsage(usage);
    return new HolderBuilder(id, slots).get().withCells(List.of(cell));
  }

  private WorkingLedger ledger(long slots) {
    Limit limit = new ConcurrencyLimit(slots, SECOND);
    long inUse = holders.stream().mapToLong(SlotAccount::booked).sum();
    return HolderBuilder.ledger(limit, limit.book(limit.initial(NOW), inUse, NOW), NOW, holders);
  }

  private Needs needs(long slots) {
    return Needs.of(ledger(slots), 0, 0, SharePlan.LEASES, 0, new long[] {0}, SETTINGS);
  }

  @Test
  void slots_thatAreHeld_arePartOfWhatAHolderHas() {
    holders.add(holder("a", 10, 3, 2));
    holders.add(holder("b", 10, 0, 0));

    assertThat(needs(10).available()).isEqualTo(5);
    assertThat(needs(10).lacksOfSlots(0)).isZero();
    assertThat(needs(10).lacksOfSlots(1)).isEqualTo(5);
  }

  /** Five are two for each, and one more for whoever comes first, once both have two. */
  @ParameterizedTest
  @CsvSource({"2, 0, 0", "2, 1, 0", "2, 2, 1", "3, 2, 0"})
  void slotThatIsLeftOver_isNobodys_beforeAllHaveTheRest(long mine, long ofOther, long lacks) {
    holders.add(holder("a", 10, mine, 0));
    holders.add(holder("b", 10, ofOther, 0));

    assertThat(needs(5).lacksOfSlots(0)).isEqualTo(lacks);
  }

  @Test
  void slots_thatAreNotThere_areNotGranted() {
    holders.add(holder("a", 10, 0, 0));
    holders.add(holder("b", 10, 8, 0));

    assertThat(needs(10).lacksOfSlots(0)).isEqualTo(2);
  }

  @Test
  void holderOfMoreThanItsPart_hasThatMuchExcess_whileOthersLackTheirs() {
    holders.add(holder("a", 10, 10, 0));
    holders.add(holder("b", 10, 0, 0));

    assertThat(needs(10).excess(0, true)).isEqualTo(5);
    assertThat(needs(10).excess(0, false)).isZero();
    assertThat(needs(10).excess(1, true)).isZero();
  }

  @Test
  void holder_keepsOneSlot_howeverManyLackTheirs() {
    holders.add(holder("a", 10, 1, 0));
    holders.add(holder("b", 10, 0, 0));
    holders.add(holder("c", 10, 0, 0));

    assertThat(needs(1).excess(0, true)).isZero();
  }

  /** A request of three of four is of no use to a holder that has two. */
  @Test
  void requestsOfMoreThanAFairPart_areServedInTurn() {
    for (int i = 0; i < 2; i++) {
      holders.add(new HolderBuilder("h" + i, 0).needs(3, 3).leaseOf(2, 0).get());
    }
    assertThat(needs(4).excess(0, true)).isZero();
    assertThat(
            Needs.of(ledger(4), 1, 0, SharePlan.LEASES, 0, new long[1], SETTINGS).excess(1, true))
        .isEqualTo(1);

    holders.set(1, new HolderBuilder("h1", 0).needs(3, 3).leaseOf(1, 0).get());
    assertThat(needs(4).lacksOfSlots(0)).isEqualTo(1);
    assertThat(needs(4).lacksOfSlots(1)).isZero();
  }

  /** Three more are held than there are: who has more than its part has them in excess. */
  @Test
  void limitThatWasLowered_isExceededByWhoHasMoreThanItsPart() {
    holders.add(holder("a", 10, 10, 0));
    assertThat(needs(7).excess(0, false)).isEqualTo(3);

    holders.add(holder("b", 10, 2, 0));
    assertThat(needs(9).excess(0, false)).as("of three; a part is four").isEqualTo(3);
    assertThat(needs(9).excess(1, false)).isZero();
    assertThat(needs(4).excess(0, false)).as("of eight").isEqualTo(8);
  }

  /** Four are asked for, with six as a margin, and one more. */
  @ParameterizedTest
  @CsvSource({"4, 0, 0, 11", "4, 3, 2, 6", "4, 9, 2, 0", "4, 9, 3, 0", "0, 0, 0, 2", "0, 1, 0, 1"})
  void aside_areSetAsManyAsMayBeGranted(double slots, long inUse, long leased, long soon) {
    holders.add(holder("a", slots, inUse, leased));

    assertThat(Needs.soon(ledger(100), holders.get(0), 0, SETTINGS)).isEqualTo(soon);
  }

  @Test
  void granting_sharesSlots_andTellsWhatIsInExcess() {
    holders.add(holder("a", 10, 10, 0));
    holders.add(holder("b", 10, 0, 0));
    Limit limit = ledger(10).limit;
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
    Granting.Outcome outcome = new Granting(SETTINGS).grant(ledger(10), 0, rule, 0);

    assertThat(outcome.excess()).isEqualTo(5);
    assertThat(outcome.scarce()).isTrue();
  }

  @Test
  void granting_keepsTheSlotThatIsLeftOver_untilAllHaveTheRest() {
    holders.add(holder("a", 10, 2, 0));
    holders.add(holder("b", 10, 0, 0));
    assertThat(leasedOfFive()).isZero();

    holders.set(1, holder("b", 10, 2, 0));
    assertThat(leasedOfFive()).isEqualTo(1);
  }

  private long leasedOfFive() {
    WorkingLedger ledger = ledger(5);
    ledger.headroom(new Headroom(0, 3, 0, 0));
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), ledger.limit);
    new Granting(SETTINGS).grant(ledger, 0, rule, 0);
    return ledger.holders().get(0).outstanding(ledger.limit, 0);
  }
}
