package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a pass, a report and an answer do to what is held of a key. */
class KeyExchangeTest {
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final Limit SLOTS = new ConcurrencyLimit(10, 10 * SECOND);

  /** The next window's permits, from when it begins. */
  private static CellGrant next(TestBook client, long id, long permits) {
    long window = LIMIT.windowStart(client.enforcerNow()) + SECOND;
    return new CellGrant(id, window, permits, window, window + SECOND);
  }

  @Test
  void pass_nextWindowHasBegun_itsPermitsAreAtHand_andTheOldOnesAreGivenBack() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.passes(900 * MILLI);
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 10), next(client, 6, 3)).send();
    assertThat(client.book.held(client.now)).isEqualTo(10);

    client.passes(110 * MILLI);
    client.reports();
    assertThat(client.book.held(client.now)).isEqualTo(3);
    client.passes(200 * MILLI);
    assertThat(client.openCell(5).closed()).isTrue();
  }

  @Test
  void pass_aWindowHasBegun_theSharesPermitsAreAtHand() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.share(7, 1, 20));
    assertThat(client.admitted(100)).isEqualTo(20);
    client.passes(SECOND);
    assertThat(client.book.held(client.now)).isZero();
    client.reports();
    assertThat(client.book.held(client.now)).isEqualTo(20);
  }

  /** The enforcer may still say that it may be kept, within 0.8 s after the key gives it back. */
  @Test
  void fewPermitsOfAShare_thatIsNotForLong_areKeptAWhileWhenIdle_andNoLonger() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    CellGrant share = client.share(7, 1, 4, 4 * SECOND);
    client.granted(share);
    long asked = client.now;
    boolean ended = false;
    while (!ended && client.now < asked + 5 * SECOND) {
      client.passes(5 * MILLI);
      List<CellUsage> cells = client.cells();
      ended = cells.stream().anyMatch(cell -> cell.shareNumber() == RateShare.ENDED);
      if (!cells.isEmpty()) {
        client.answer().grants(share).send();
      }
    }
    long grace = client.settings.closeGraceNanos();
    assertThat(client.now - asked)
        .isBetween(1_600 * MILLI + grace + 800 * MILLI, 2_500 * MILLI + grace + 100 * MILLI);
  }

  @Test
  void reportOfSlots_namesHowManyAreHeld() {
    TestBook client = new TestBook(strict(SLOTS));
    client.charge(3);
    client.granted(client.grant(SLOTS, 5, 6));
    assertThat(client.charge(3).decision().admitted()).isTrue();
    assertThat(client.charge(1).decision().admitted()).isTrue();
    client.passes(20 * MILLI);
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.demandPerSecond()).isGreaterThanOrEqualTo(4);
    client.passes(SECOND);
    client.charge(1);
    assertThat(client.report().orElseThrow().demandPerSecond()).isBetween(4.0, 5.1);
  }

  @Test
  void answerLeavesFewerSlots_thoseThatComeBackAreOthers_ofEachReportOnce() {
    TestBook client = new TestBook(strict(SLOTS));
    client.charge(1);
    client.granted(client.grant(SLOTS, 5, 6));
    var held = client.charge(4);
    client.charge(2);
    client.passes(20 * MILLI);
    client.reports();
    client.answer().grants(client.grant(SLOTS, 5, 4)).send();
    held.settle(4, client.now);
    assertThat(client.book.held(client.now)).as("two of four go on").isEqualTo(2);

    client.passes(20 * MILLI);
    client.reports();
    client.answer().grants(client.grant(SLOTS, 5, 5)).send();
    assertThat(client.book.held(client.now)).as("one more than was told goes on").isEqualTo(1);
  }

  @Test
  void lateClass_leavesWhatTheFirstIsLikelyToAskFor_untilMoreIsGranted() {
    DemandClasses classes =
        new DemandClasses(
            List.of(
                DemandClass.of("users", Map.of()),
                DemandClass.of("jobs", Map.of("job", new Matcher.Any()))));
    Limit limit = new FixedWindow(1_000, 10 * SECOND);
    TestBook client = new TestBook(strict(limit).withClasses(classes));
    for (int i = 0; i < 5; i++) {
      assertThat(client.admitted(20)).isZero();
      client.answeredTicks(20 * MILLI);
    }
    client.granted(client.grant(limit, 5, 250));

    Request job = new Request(Map.of("user", "42", "job", "nightly"), 1);
    int jobs = 0;
    for (int i = 0; i < 300; i++) {
      jobs += client.book.decide(job, client.now).admitted() ? 1 : 0;
    }
    assertThat(jobs).as("of 250; what comes in 60 ms is kept").isBetween(150, 200);
    assertThat(client.admitted(400)).isEqualTo(250 - jobs);
  }

  @Test
  void permitsThatAreGivenBack_mayBeOpenedUntilTheNextAnswer() {
    Limit limit = new FixedWindow(400, 10 * SECOND);
    TestBook client = new TestBook(balanced(limit));
    client.admits();
    client.reports();
    client.answer().grants(client.grant(limit, 5, 200)).opening(0).send();
    client.passes(20 * MILLI);
    client.reports();
    assertThat(client.book.held(client.now)).isLessThan(100);
    assertThat(client.admitted(400)).isEqualTo(200);
  }

  @Test
  void openedCell_isClosedOnceGrantsServeInstead() {
    Limit limit = new FixedWindow(400, 10 * SECOND);
    TestBook client = new TestBook(balanced(limit));
    client.admits();
    CellGrant grant = client.grant(limit, 5, 100);
    client.granted(grant);
    boolean isClosed = false;
    for (int i = 0; i < 50 && !isClosed; i++) {
      client.admits();
      client.passes(20 * MILLI);
      List<CellUsage> cells = client.cells();
      isClosed = cells.stream().anyMatch(cell -> cell.id() < 0 && cell.closed());
      client.answer().grants(grant).remaining(250).send();
    }
    assertThat(isClosed).isTrue();
  }

  @Test
  void openedPermits_areToldAtOnce_butRefusalsAreNot() {
    TestBook client = new TestBook(balanced(LIMIT));
    client.admits();
    client.reports();
    client.answer().opening(2, client.enforcerNow() + 5 * SECOND).send();
    client.admits();
    client.passes(5 * MILLI);
    assertThat(client.reports()).as("opened").hasSize(1);
    client.answer().opening(0, client.enforcerNow() + 5 * SECOND).remaining(1).send();

    assertThat(client.admits()).isFalse();
    client.passes(5 * MILLI);
    assertThat(client.reports()).isEmpty();
    client.passes(15 * MILLI);
    assertThat(client.reports()).hasSize(1);
  }

  @Test
  void keyThatRetires_isReportedAtOnce_andAsksForNothing() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    client.passes(20 * MILLI);
    client.admits();
    client.reports();
    client.passes(MILLI);
    client.admits();
    client.book.chargeOrWait(
        new WaitingRequest(Request.of("user", "42").withCost(50), client.now), client.now);

    List<PartitionReport> last = client.book.close(client.now);
    assertThat(last).hasSize(1);
    QuotaUsage usage = last.get(0).quotas().get(0);
    assertThat(usage.needed()).isZero();
    assertThat(usage.demandPerSecond()).isZero();
    assertThat(usage.cells()).allMatch(CellUsage::closed);
  }

  @Test
  void rulesChange_whatWasUsedIsReportedAtTheNextPass() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    client.passes(20 * MILLI);
    client.admits();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 10)).send();
    client.admits();
    client.passes(MILLI);
    client.remove(strict(LIMIT));
    client.passes(4 * MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::used)
        .containsExactly(2L);
  }

  @Test
  void permits_spreadOverPlaces_areSpreadAnewAtEachPass() {
    BookSettings settings = BookSettings.defaults().with(new Spreading(4, 0, 1));
    Limit limit = new FixedWindow(200, 10 * SECOND);
    TestBook client = new TestBook(settings, strict(limit));
    client.admits();
    client.granted(client.grant(limit, 5, 100));
    assertThat(client.decide("42", 53).admitted()).as("half is spread").isFalse();
    assertThat(client.admitted(40)).isEqualTo(40);
    assertThat(client.decide("42", 28).admitted()).isFalse();

    client.passes(20 * MILLI);
    client.reports();
    assertThat(client.decide("42", 28).admitted()).as("half of 60 is not").isTrue();
  }
}
