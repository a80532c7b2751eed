package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long permits rest, and when they are asked back: of 60 a second, 30 may rest in all. */
class RestingTermsTest {
  private static final LedgerSettings SETTINGS = TestLedger.RESTING;
  private static final long LONG = NOW + SETTINGS.shareTermNanos() + 1;
  private static final Limit LIMIT = new FixedWindow(60, SECOND);
  private static final Rule RULE =
      Rule.of(new RuleId("test", "rule"), List.of("user"), LIMIT)
          .withEnforcement(Enforcement.STRICT);

  private final RestingShares resting = new RestingShares(SETTINGS);
  private final List<Holder> holders = new ArrayList<>();

  private static HolderBuilder asks(String id) {
    return new HolderBuilder(id, 1);
  }

  private static HolderBuilder rests(String id, long permits) {
    return new HolderBuilder(id, 0).reportedAgo(MINUTE).shareOf(permits);
  }

  private WorkingLedger ledger(Limit limit, long used) {
    return HolderBuilder.ledger(limit, limit.book(limit.initial(NOW), used, NOW), NOW, holders);
  }

  private long term(Holder holder) {
    holders.add(0, holder);
    long end = resting.termEnd(ledger(LIMIT, 0), holder, RULE);
    holders.remove(0);
    return end == 0 ? 0 : end - NOW;
  }

  @Test
  void term_isOfAFewPermitsOfWhoAsksForNothing() {
    assertThat(term(rests("a", 4).get())).isEqualTo(10 * MINUTE);
    assertThat(term(rests("a", 5).get())).isZero();
    assertThat(term(rests("a", 0).get())).isZero();
    assertThat(term(asks("a").shareOf(4).get())).isZero();
    assertThat(term(new HolderBuilder("a", 0).get())).isZero();
    assertThat(term(rests(HolderId.Replays.of(0).text(), 4).get())).isZero();
  }

  @ParameterizedTest
  @CsvSource({"15, 2, 300", "28, 2, 40", "28, 3, 0", "29, 2, 0"})
  void term_isShorter_theMoreRests_andNoneWhereThereIsNoRoom(
      long ofOthers, long permits, long seconds) {
    holders.add(new HolderBuilder("b", 0).until(LONG).shareOf(ofOthers).get());

    assertThat(term(rests("a", permits).get())).isEqualTo(seconds * SECOND);
  }

  /** Before half of the term is gone it has heard of a later end. */
  @Test
  void holder_isToHear_whereWhatItKnowsIsLessThanHalfOfTheTerm() {
    assertThat(isToHear(NOW + 5 * MINUTE - 1)).isTrue();
    assertThat(isToHear(NOW + 5 * MINUTE)).isFalse();
    holders.set(0, asks("a").shareOf(1).get());
    assertThat(resting.isToHear(ledger(LIMIT, 0), holders.get(0), RULE)).isFalse();
  }

  private boolean isToHear(long told) {
    holders.clear();
    holders.add(new HolderBuilder("a", 0).until(told).shareOf(1).get());
    return resting.isToHear(ledger(LIMIT, 0), holders.get(0), RULE);
  }

  private ExhaustedQuota recalled(long needed, long used) {
    holders.add(0, asks("a").needs(needed).leaseOf(2, NOW).get());
    ExhaustedQuota told = Recall.of(ledger(LIMIT, used), 0, RULE).orElse(null);
    holders.remove(0);
    return told;
  }

  /** Two of its permits are there, and three are left of the window. */
  @Test
  void whatRests_isAskedBack_whenWhatIsLeftDoesNotDo() {
    holders.add(rests("b", 1).get());

    assertThat(recalled(5, 55)).isNull();
    assertThat(recalled(6, 55)).isEqualTo(new ExhaustedQuota(HolderBuilder.GENERATION, NOW, 0, 0));
  }

  @Test
  void nothing_isAskedBack_whereNothingRests() {
    assertThat(recalled(9, 60)).isNull();
    holders.add(new HolderBuilder("busy", 1).shareOf(1).get());
    holders.add(new HolderBuilder("old", 0).generation(7).shareOf(1).get());
    holders.add(new HolderBuilder("idle", 0).get());
    assertThat(recalled(9, 60)).isNull();
  }

  @Test
  void whatRests_isAskedBack_whereRequestsWereRefused() {
    holders.add(asks("a").get());
    holders.add(rests("b", 1).get());
    WorkingLedger ledger = ledger(LIMIT, 60);
    assertThat(Recall.of(ledger, 0, RULE)).isEmpty();

    ledger.countOnce(CellUsage.of(-1, NOW).withThrottled(1), NOW);
    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
  }

  @Test
  void whatRests_isAskedBack_twiceASecondAtMost() {
    holders.add(asks("a").needs(6).get());
    holders.add(rests("b", 1).get());
    WorkingLedger ledger = ledger(LIMIT, 60);

    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
    assertThat(ledger.exhaustedUntil).isEqualTo(NOW + SECOND / 2);
    assertThat(Recall.of(ledger, 0, RULE)).isEmpty();
    ledger.exhaustedUntil = NOW - MINUTE;
    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
    assertThat(ledger.exhaustedUntil).isEqualTo(NOW + SECOND / 2);
  }

  /**
   * All was taken, and some of it was not spent: what rests is there long before the window ends.
   */
  @Test
  void whatRests_isAskedBack_thoughAllInstancesWereToldThatNothingIsLeft() {
    holders.add(asks("a").needs(6).get());
    holders.add(rests("b", 1).get());
    WorkingLedger ledger = ledger(LIMIT, 59);
    ledger.lend();
    ledger.exhaustedUntil = NOW + MINUTE;

    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
    assertThat(ledger.exhaustedUntil).isEqualTo(NOW + SECOND / 2);
    assertThat(Recall.of(ledger, 0, RULE)).as("so soon").isEmpty();
  }

  @Test
  void nothing_isAskedBack_whileAllIsUsed() {
    holders.add(asks("a").needs(6).get());
    holders.add(rests("b", 1).usedByShare(NOW, 1).get());
    WorkingLedger ledger = ledger(LIMIT, 59);
    ledger.lend();
    ledger.exhaustedUntil = NOW + MINUTE;

    assertThat(Recall.of(ledger, 0, RULE)).isEmpty();
  }

  /** Who keeps it may have crashed. */
  @Test
  void whatRests_isAskedBackSeldom_whereThatWasInVain() {
    holders.add(asks("a").needs(6).get());
    holders.add(rests("b", 1).get());
    WorkingLedger ledger = ledger(LIMIT, 60);
    ledger.exhaustedUntil = NOW;

    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
    assertThat(ledger.exhaustedUntil).isEqualTo(NOW + 5 * SECOND);

    holders.add(new HolderBuilder("new", 0).shareOf(1).get());
    ledger = ledger(LIMIT, 60);
    ledger.exhaustedUntil = NOW;
    assertThat(Recall.of(ledger, 0, RULE)).isPresent();
    assertThat(ledger.exhaustedUntil).isEqualTo(NOW + SECOND / 2);
  }

  @Test
  void rule_withClasses_letsNothingRest() {
    Rule classes =
        RULE.withClasses(
            new DemandClasses(
                List.of(DemandClass.of("first", Map.of()), DemandClass.of("second", Map.of()))));

    assertThat(RestingShares.lets(LIMIT, RULE, SETTINGS)).isTrue();
    assertThat(RestingShares.lets(LIMIT, classes, SETTINGS)).isFalse();
    assertThat(RestingShares.mayBeKept(LIMIT, classes)).isFalse();
  }
}
