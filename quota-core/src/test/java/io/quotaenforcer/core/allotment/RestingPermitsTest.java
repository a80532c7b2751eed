package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Permits that an instance keeps while nobody asks for them. */
class RestingPermitsTest {
  private static final Limit LIMIT = new FixedWindow(60, SECOND);
  private static final long REST = 600 * SECOND;

  private final TestBook client = new TestBook(strict(LIMIT));

  /** Has asked once, and sleeps with a share that is good for so long. */
  private void sleeps(long termNanos) {
    client.admits();
    client.granted(client.share(7, 1, 1));
    client.answeredTicks(4 * SECOND, client.share(7, 1, 1, termNanos));
  }

  private void hearsOfRules(long nanos) {
    for (long end = client.now + nanos; client.now < end; client.passes(SECOND)) {
      client.book.rulesHeard(client.now);
      client.ticks(5 * MILLI);
    }
  }

  private boolean givesBackNow() {
    return client.cells().stream().anyMatch(cell -> cell.shareNumber() == RateShare.ENDED);
  }

  @Test
  void request_thatComesLate_findsAPermit_andNothingWasReportedMeanwhile() {
    sleeps(REST);
    assertThat(client.book.isQuiet()).isTrue();
    assertThat(client.ticks(50 * SECOND)).isZero();

    assertThat(client.admits()).isTrue();
    assertThat(client.admits()).isFalse();
    client.passes(SECOND);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void share_thatComesWhenNobodyAsksAnyMore_hasAPermitForTheNextRequest() {
    client.admits();
    client.reports();
    client.passes(client.settings.idleAfterNanos() + MILLI);
    CellGrant share = client.share(7, 1, 1, REST);
    client.answer().grants(share).send();
    client.answeredTicks(4 * SECOND, share);

    assertThat(client.admits()).isTrue();
  }

  /** While no enforcer answers, an idle key keeps a share even of nothing. */
  @Test
  void share_thatGetsItsFirstPermitWhenNobodyAsksAnyMore_hasItForTheNextRequest() {
    client.admits();
    client.granted(client.share(7, 1, 0, REST));
    client.admits();
    client.ticks(3 * SECOND);
    CellGrant share = client.share(7, 2, 1, REST);
    client.answer().grants(share).send();
    client.answeredTicks(4 * SECOND, share);

    assertThat(client.admits()).isTrue();
  }

  @Test
  void idleKey_tellsOnce_thatNothingIsAskedFor_andKeepsItsShare() {
    client.admits();
    CellGrant share = client.share(7, 1, 1, REST);
    client.granted(share);
    client.ticks(50 * MILLI);
    client.answer().grants(share).send();
    client.passes(client.settings.idleAfterNanos());
    client.ticks(SECOND / 10);
    client.passes(SECOND);

    QuotaUsage last = client.report().orElseThrow();
    assertThat(last.demandPerSecond()).isZero();
    assertThat(last.cells())
        .filteredOn(cell -> cell.id() == 7)
        .extracting(CellUsage::shareNumber)
        .containsExactly(1L);
  }

  @Test
  void share_thatIsGoodForNoLongerThanOthers_isKept_andGivenBackBeforeItEnds() {
    sleeps(30 * SECOND);
    client.ticks(12 * SECOND);
    assertThat(client.admits()).isTrue();

    sleeps(30 * SECOND);
    long slept = client.now;
    while (!givesBackNow() && client.now < slept + 60 * SECOND) {
      client.passes(100 * MILLI);
    }
    assertThat(client.now - slept).isBetween(15 * SECOND, 24 * SECOND);
  }

  @Test
  void share_thatIsLarge_isGivenBack() {
    client.admits();
    CellGrant share = client.share(7, 1, 30, REST);
    client.granted(share);
    client.answeredTicks(4 * SECOND, share);

    assertThat(client.admits()).isFalse();
  }

  /** Others may be waiting for the permits that it is leased beside the share. */
  @Test
  void leaseBesideTheShare_isGivenBackSoon_whereFewRemainAndCallersWait() {
    WaitingRequest waiting = new WaitingRequest(new Request(Map.of("user", "42"), 1), client.now);
    client.book.decideOrWait(waiting, client.now);
    client.reports();
    long few = client.settings.spareFrom() - 1;
    client
        .answer()
        .grants(client.share(7, 1, 1, REST), client.grant(LIMIT, 8, 4))
        .remaining(few)
        .send();
    assertThat(client.book.decideOrWait(waiting, client.now).admitted()).isTrue();
    client.passes(300 * MILLI);

    QuotaUsage said = client.report().orElseThrow();
    assertThat(said.demandPerSecond()).isZero();
    assertThat(said.cells())
        .filteredOn(cell -> cell.id() == 8)
        .extracting(CellUsage::givenBack)
        .containsExactly(4L);
  }

  @Test
  void restingPermits_areGivenBack_whenTheyAreAskedFor() {
    sleeps(REST);
    client.passes(SECOND);
    client.book.applyExhausted(
        key("rule", "42"), new ExhaustedQuota(1, client.enforcerNow(), 0, 0), client.now);

    assertThat(givesBackNow()).isTrue();
    assertThat(client.admits()).isFalse();
  }

  @Test
  void restingPermits_areGivenBack_whenTimeStoodStill() {
    sleeps(REST);
    client.passes(SECOND);
    client.book.stoodStill(SECOND, client.now);

    assertThat(client.admits()).isFalse();
    client.passes(SECOND);
    assertThat(givesBackNow()).isTrue();
  }

  @Test
  void restingPermits_areGivenBack_whenTheLimitChanges() {
    sleeps(REST);
    client.passes(SECOND);
    client.apply(strict(new FixedWindow(30, SECOND)).withVersion(2, 1));

    assertThat(givesBackNow()).isTrue();
  }

  @Test
  void restingPermits_areGivenBack_whenTheRuleBeginsANewGeneration() {
    sleeps(REST);
    client.passes(SECOND);
    client.apply(strict(new FixedWindow(30, 2 * SECOND)).withVersion(2, 2));

    assertThat(givesBackNow()).isTrue();
  }

  @Test
  void restingPermits_areGivenBack_whenTheBookCloses() {
    sleeps(REST);
    List<CellUsage> last = client.book.close(client.now).get(0).quotas().get(0).cells();

    assertThat(last).filteredOn(cell -> cell.id() == 7).allMatch(CellUsage::closed).hasSize(1);
  }

  @Test
  void restingPermits_areThere_aslongAsTheRulesAreKnown() {
    sleeps(REST);
    hearsOfRules(500 * SECOND);

    assertThat(client.admits()).isTrue();
  }

  /** The rule may be another one by now. */
  @Test
  void restingPermits_areNotSpent_ifNothingWasHeardOfRules() {
    sleeps(REST);
    client.passes(client.settings.evictAfterNanos());

    assertThat(client.admits()).isFalse();
    client.book.rulesHeard(client.now);
    client.passes(SECOND);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void restingPermits_areThereAgain_whenRulesAreHeardOfAfterMinutes() {
    sleeps(REST);
    client.ticks(3 * client.settings.evictAfterNanos());
    assertThat(client.admits()).isFalse();
    client.ticks(2 * client.settings.evictAfterNanos());

    client.book.rulesHeard(client.now);
    assertThat(client.admits()).isTrue();
  }

  @Test
  void restingPermits_areGivenBack_whenTheFirstRulesHeardOfAfterMinutesAreOthers() {
    sleeps(REST);
    client.ticks(3 * client.settings.evictAfterNanos());
    client.apply(strict(new FixedWindow(30, SECOND)).withVersion(2, 1));

    assertThat(client.admits()).isFalse();
    assertThat(givesBackNow()).isTrue();
  }

  /** Nobody tells a share of less while the enforcer is away. */
  @Test
  void permitsOfALongTerm_thatAreAskedFor_areGivenBack_whenTheLimitChangesAndNobodyAnswers() {
    sleeps(REST);
    client.passes(SECOND);
    assertThat(client.admits()).isTrue();
    client.ticks(10 * SECOND);
    assertThat(client.admits()).isTrue();
    client.apply(strict(new FixedWindow(30, SECOND)).withVersion(2, 1));

    hearsOfRules(2 * SECOND);
    assertThat(client.admits()).isFalse();
  }

  @Test
  void restingPermits_areGone_whenTheirTermEnds() {
    sleeps(REST);
    hearsOfRules(REST);

    assertThat(client.admits()).isFalse();
    assertThat(client.now + TestBook.OFFSET).isGreaterThan(EPOCH + REST);
  }

  /** Keys at rest take memory: an instance of many keys keeps none of them so. */
  @Test
  void instance_thatHoldsManyKeys_letsNoneRest() {
    TestBook crowded = new TestBook(TestBook.settings(60 * SECOND, 8 * 2), strict(LIMIT));
    crowded.decide("1", 1);
    crowded.decide("2", 1);
    crowded.admits();
    CellGrant share = crowded.share(7, 1, 1, REST);
    crowded.reports();
    crowded.answer().grants(share).send();
    crowded.passes(3 * SECOND);
    crowded.reports();

    assertThat(crowded.admits()).isFalse();
  }
}
