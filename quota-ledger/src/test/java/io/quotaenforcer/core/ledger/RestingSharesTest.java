package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Permits that holders keep while nobody asks for them. */
class RestingSharesTest {
  private static final long REST = TestLedger.RESTING.restTermNanos();
  private static final long SHARE_TERM = TestLedger.RESTING.shareTermNanos();
  private static final Limit LIMIT = new FixedWindow(60, SECOND);

  @RegisterExtension private final TestLedger ledger = TestLedger.resting(LIMIT);

  private final Map<String, CellGrant> shares = new HashMap<>();

  /** A request that waits, its use, and then the report of a key that is idle. */
  private void asksOnce(String instance) {
    learn(instance, report(instance).needs(1).send());
    ledger.passes(50 * MILLI);
    learn(instance, report(instance).send());
    ledger.passes(1_600 * MILLI);
    isIdle(instance);
  }

  private void isIdle(String instance) {
    learn(instance, report(instance).send());
    ledger.passes(50 * MILLI);
  }

  private TestLedger.Report report(String instance) {
    TestLedger.Report report = ledger.from(instance);
    CellGrant share = shares.get(instance);
    return share == null
        ? report
        : report.cell(CellUsage.of(share.id(), 0).ofShare(share.share().number()));
  }

  private void learn(String instance, TestLedger.Sent sent) {
    for (CellGrant grant : sent.grants()) {
      if (grant.share().isShare()) {
        shares.put(instance, grant);
      }
    }
  }

  private void givesBack(String instance) {
    CellGrant share = shares.remove(instance);
    ledger
        .from(instance)
        .cell(CellUsage.of(share.id(), 0).ofShare(RateShare.ENDED).asClosed())
        .send();
  }

  private boolean rests(String instance) {
    CellGrant share = shares.get(instance);
    return share != null
        && share.share().permits() > 0
        && share.validUntilNanos() > ledger.now + SHARE_TERM;
  }

  private long resting(int instances) {
    long resting = 0;
    for (int i = 0; i < instances; i++) {
      resting += rests("i" + i) ? shares.get("i" + i).share().permits() : 0;
    }
    return resting;
  }

  @Test
  void holder_thatAsksForNothing_keepsAPermit_forTheTermOfRest() {
    asksOnce("a");

    assertThat(shares.get("a").share().permits()).isEqualTo(1);
    assertThat(shares.get("a").validUntilNanos())
        .isBetween(ledger.now + REST - 2 * SECOND, ledger.now + REST);
  }

  /** The term counts from when nothing more was asked for, not from the first request. */
  @Test
  void holder_thatAsks_hasItsShareForNoLongerThanOthers() {
    learn("a", report("a").needs(1).send());
    ledger.passes(50 * MILLI);
    learn("a", report("a").demand(1).send());

    assertThat(shares.get("a").validUntilNanos()).isLessThanOrEqualTo(ledger.now + SHARE_TERM);
  }

  @Test
  void permits_thatRest_areNotThereForOthers_untilTheTermEnds() {
    asksOnce("a");

    assertThat(ledger.available()).isEqualTo(59);
    ledger.passes(REST - 3 * SECOND);
    ledger.from("b").send();
    assertThat(ledger.available()).isEqualTo(59);
    ledger.passes(4 * SECOND);
    ledger.from("b").send();
    assertThat(ledger.available()).isEqualTo(60);
  }

  @Test
  void manyHolders_keepAtMostHalfOfTheLimit() {
    for (int i = 0; i < 50; i++) {
      asksOnce("i" + i);
      assertThat(resting(50)).isLessThanOrEqualTo(30);
    }

    assertThat(resting(50)).isGreaterThan(20);
    assertThat(ledger.available()).isGreaterThanOrEqualTo(30);
  }

  /** So that the oldest end soon, and newer ones find room. */
  @Test
  void term_isShorter_theMoreRests() {
    for (int i = 0; i < 15; i++) {
      asksOnce("i" + i);
    }
    long first = shares.get("i0").validUntilNanos();
    long last = shares.get("i14").validUntilNanos();

    assertThat(last).isLessThan(first);
    assertThat(last).isBetween(ledger.now + 4 * MINUTE, ledger.now + 6 * MINUTE);
  }

  @Test
  void givenBack_isThereAtOnce() {
    asksOnce("a");
    givesBack("a");

    assertThat(ledger.available()).isEqualTo(60);
  }

  @Test
  void restingPermits_areAskedBack_whenAnotherHolderLacksThem() {
    asksOnce("a");
    long window = LIMIT.windowStart(ledger.now);
    TestLedger.Sent lacks = ledger.from("b").opened(1, window, 59, true).needs(1).send();

    assertThat(lacks.exhausted).get().extracting(told -> told.untilNanos()).isEqualTo(ledger.now);
    assertThat(ledger.from("b").opened(1, window, 59, true).needs(1).send().exhausted).isEmpty();
    givesBack("a");
    assertThat(ledger.from("b").needs(1).send().granted()).isEqualTo(1);
  }

  @Test
  void key_thatIsInUse_letsNothingRest() {
    asksOnce("a");
    ledger.from("b").opened(1, LIMIT.windowStart(ledger.now), 59, true).send();
    for (int i = 0; i < 2; i++) {
      learn("a", report("a").demand(1).send());
    }

    assertThat(shares.get("a").share().permits()).isZero();
  }

  /**
   * Else one that crashes would keep more than half of the limit for longer than a share's term.
   */
  @Test
  void share_thatRested_growsByNoMoreThanMayRest() {
    asksOnce("a");
    for (long end = ledger.now + 10 * SECOND; ledger.now < end; ledger.passes(50 * MILLI)) {
      learn("a", report("a").demand(500).loop(50 * MILLI).send());
    }

    assertThat(shares.get("a").share().permits()).isBetween(25L, 30L);
  }

  @Test
  void takeover_leavesWhatRests_toItsHolder() {
    asksOnce("a");
    ledger.takenOver(ledger.now);
    ledger.passes(5 * MINUTE);
    ledger.from("b").send();

    assertThat(ledger.available()).isEqualTo(59);
  }

  /** Nobody knows what a silent holder does by the older generation. */
  @Test
  void newGeneration_isGranted_onceWhatRestsOfTheOneBeforeIsGivenBack() {
    asksOnce("a");
    long before = ledger.rule.generation();
    ledger.nextGeneration(new FixedWindow(30, 2 * SECOND));

    assertThat(ledger.from("b").needs(1).send().granted()).isZero();
    ledger.passes(5 * SECOND);
    assertThat(ledger.from("b").needs(1).send().granted()).isZero();
    CellGrant share = shares.get("a");
    ledger
        .from("a")
        .generation(before)
        .cell(CellUsage.of(share.id(), 0).ofShare(RateShare.ENDED).asClosed())
        .send();
    assertThat(ledger.from("b").needs(1).send().granted()).isPositive();
  }

  @Test
  void balancedRule_letsNothingRest() {
    ledger.rule = ledger.rule.withEnforcement(Enforcement.BALANCED);
    asksOnce("a");

    assertThat(shares).isEmpty();
  }
}
