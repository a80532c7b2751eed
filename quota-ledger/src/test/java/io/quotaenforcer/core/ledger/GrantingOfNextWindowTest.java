package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is granted and set aside of the next window before it begins. */
class GrantingOfNextWindowTest extends GrantingFixture {
  private static final long LEAD = 200 * MILLI;

  /** Two loops before it begins, and a part of one by which keys differ. */
  @ParameterizedTest
  @CsvSource({"0, 0, true", "1, 0, false", "1, 50000000, true", "50000001, 50000000, false"})
  void nextWindow_isGranted_twoLoopsBefore(long earlier, int keyHash, boolean granted) {
    holders.add(asks("a", 100).reportedAgo(-WINDOW).get());
    WorkingLedger ledger = ledger(NEXT - LEAD - earlier, 0, 500);
    granting.grant(ledger, 0, rule, keyHash);

    assertThat(leased(ledger, NEXT) > 0).isEqualTo(granted);
  }

  /** Of a window of 300 ms, half of it. */
  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void nextWindow_isGranted_halfAWindowBefore_whereThatIsShort(long earlier, boolean granted) {
    Limit fast = new FixedWindow(1_000, 300 * MILLI);
    long next = NOW + 300 * MILLI;
    holders.add(asks("a", 100).get());
    WorkingLedger ledger = HolderBuilder.ledger(fast, next - 150 * MILLI - earlier, holders);
    ledger.headroom(new Headroom(next, 500, 0, 0));
    grant(ledger);

    assertThat(ledger.holders().get(0).outstanding(fast, next) > 0).isEqualTo(granted);
  }

  /** A tenth stays for newcomers. */
  @Test
  void nextWindow_isGrantedByDemand_andWhatHoldersAreLikelyToTake() {
    holders.add(asks("a", 100).reportedAgo(-WINDOW).get());
    assertThat(ofNext()).as("20, 13, and one").isEqualTo(34);

    holders.set(0, asks("a", 6_000).reportedAgo(-WINDOW).get());
    holders.add(asks("b", 3_000).reportedAgo(-WINDOW).get());
    holders.add(asks("silent", 3_000).get());
    holders.add(asks("old", 3_000).generation(7).reportedAgo(-WINDOW).get());
    assertThat(ofNext()).isEqualTo(600);
    holders.set(0, asks("a", 6_000).reportedAgo(-WINDOW).leaseOf(450, NEXT).get());
    assertThat(ofNext()).as("450 and 150").isEqualTo(600);
    holders.set(1, asks("b", 3_000).reportedAgo(-WINDOW).leaseOf(400, NEXT).get());
    assertThat(ofNext()).as("50 of 150 are left beside newcomers").isEqualTo(500);
  }

  private long ofNext() {
    WorkingLedger ledger = ledger(NEXT - LEAD, 0, 1_000);
    grant(ledger);
    return leased(ledger, NEXT);
  }

  /** A fifth of it within two loops, or all while nobody else asks; a tenth is for newcomers. */
  @Test
  void nextWindow_isGrantedToAQueue_littleByLittle() {
    HolderBuilder queue = asks(HolderId.Replays.of(0).text(), 0).needs(5_000).reportedAgo(-WINDOW);
    holders.add(queue.get());
    assertThat(ofNext()).isEqualTo(20);

    holders.add(asks("a", 0).leaseOf(895, NEXT).get());
    assertThat(ofNext()).isEqualTo(5);
    holders.set(1, asks("a", 0).leaseOf(898, NEXT).get());
    assertThat(ofNext()).as("less than it is due").isEqualTo(2);
    holders.set(1, asks("a", 5_000).reportedAgo(-WINDOW).get());
    assertThat(ofNext()).isEqualTo(4);
    holders.set(1, asks("a", 70).reportedAgo(-WINDOW).leaseOf(195, NEXT).get());
    assertThat(ofNext()).as("705 less 700 are spare").isEqualTo(5);
  }

  /** The second class is served half of what it asks for, at the rate of the limit. */
  @Test
  void nextWindow_isGrantedByWhatClassesAreServed() {
    rule =
        rule.withClasses(
            new DemandClasses(
                List.of(DemandClass.of("first", Map.of()), DemandClass.of("last", Map.of()))));
    ClassReport none = new ClassReport(0, 0, 0);
    ClassReport last = new ClassReport(80, 0, 0);
    ClassReport first = new ClassReport(60, 0, 0);
    holders.add(asks("a", 80).classes(none, last).reportedAgo(-WINDOW).get());
    holders.add(asks("b", 60).classes(first, none).reportedAgo(-WINDOW).get());

    assertThat(ofNext()).as("half of 16, 12 and one").isEqualTo(14);
  }

  /** As long before the grants of the next window as these are before it begins. */
  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void nextWindow_isSetAside_beforeItIsGranted(long earlier, boolean aside) {
    holders.add(asks("a", 100).reportedAgo(-WINDOW).get());
    WorkingLedger ledger = ledger(NEXT - 2 * LEAD - earlier, 0, 0);
    grant(ledger);

    assertThat(ledger.headroom(NEXT).total()).isEqualTo(aside ? 49 : 0);
  }

  /** A loop of 10 ms: by 150 ms, half of the time that answers are given ahead. */
  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void nextWindow_isSetAside_halfOfTheTimeAheadBeforeItIsGranted(long earlier, boolean aside) {
    holders.add(asks("a", 100).loop(10 * MILLI).reportedAgo(-WINDOW).get());
    WorkingLedger ledger = ledger(NEXT - 170 * MILLI - earlier, 0, 0);
    grant(ledger);

    assertThat(ledger.headroom(NEXT).total() > 0).isEqualTo(aside);
  }
}
