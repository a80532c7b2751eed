package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Enforcement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One report's grants of windows of ten seconds, to a holder that has an answer after 100 ms. */
class GrantingTest extends GrantingFixture {
  /** 34 in two loops: the rest waits until it is set aside and committed. */
  @ParameterizedTest
  @CsvSource({"50, 34", "34, 34", "10, 10", "0, 0"})
  void holder_isGrantedWhatItLacks_ofWhatIsSetAside(long aside, long granted) {
    holders.add(asks("a", 100).get());
    WorkingLedger ledger = ledger(NOW, aside, 0);
    grant(ledger);

    assertThat(leased(ledger, NOW)).isEqualTo(granted);
    assertThat(leased(ledger, NEXT)).isZero();
    assertThat(ledger.holders().get(0).cells()).hasSize(granted > 0 ? 1 : 0);
    assertThat(ledger.headroom(NOW).usable(1))
        .as("the rest is as before")
        .isEqualTo(aside - granted);
  }

  @Test
  void ruleOfEachInstance_grantsNothing() {
    holders.add(asks("a", 100).get());
    rule = rule.withEnforcement(Enforcement.PER_INSTANCE);

    WorkingLedger alone = ledger(NOW, 50, 0);
    assertThat(grant(alone)).isEqualTo(Granting.Outcome.NOTHING);
    assertThat(leased(alone, NOW)).isZero();
  }

  @Test
  void sharesOfAnOlderGeneration_areWaitedFor() {
    holders.add(asks("a", 100).get());
    holders.add(asks("old", 1).generation(0).shareOf(10).get());

    assertThat(grant(ledger(NOW, 50, 0))).isEqualTo(Granting.Outcome.NOTHING);
  }

  /** What waits is worth another answer, once more is committed. */
  @ParameterizedTest
  @CsvSource({"5, 4, true", "5, 5, false", "0, 0, true", "0, 1, false"})
  void holder_mayGetMore_ifItsRequestsWait_orItHasNothing(long needs, long aside, boolean more) {
    holders.add(asks("a", 100).needs(needs).get());
    Granting.Outcome outcome = grant(ledger(NOW, aside, 0));

    assertThat(outcome.mayGetMore()).isEqualTo(more);
    assertThat(outcome.urgent()).isEqualTo(more);
  }

  /** It has a cell, so that it is not urgent; a permit in two loops is worth an answer. */
  @ParameterizedTest
  @CsvSource({"5, true", "4, false"})
  void holder_whoseLeaseIsUsedUp_mayGetMore_ifItExpectsARequest(double perSecond, boolean more) {
    holders.add(asks("a", perSecond).leaseOf(0, NOW).get());
    Granting.Outcome outcome = grant(ledger(NOW, 0, 0));

    assertThat(outcome.mayGetMore()).isEqualTo(more);
    assertThat(outcome.urgent()).isFalse();
  }

  @Test
  void holder_thatAsksForNothing_getsNothing_andNoOtherAnswer() {
    holders.add(asks("a", 0).get());
    WorkingLedger ledger = ledger(NOW, 50, 0);

    assertThat(grant(ledger)).isEqualTo(Granting.Outcome.NOTHING);
    assertThat(leased(ledger, NOW)).isZero();
  }

  @Test
  void holder_thatHasSome_asksAgainItself() {
    holders.add(asks("a", 100).leaseOf(1, NOW).get());

    assertThat(grant(ledger(NOW, 0, 0)).mayGetMore()).isFalse();
  }

  /** 20 in two loops, a margin of 13, one, and 15 in the 150 ms of half the time ahead. */
  @Test
  void aside_isSetWhatHoldersAreLikelyToBeGranted() {
    holders.add(asks("a", 100).get());
    holders.add(asks("b", 100).get());
    holders.add(asks("silent", 100).reportedAgo(2 * SECOND + 1).get());
    holders.add(asks("old", 100).generation(7).get());
    WorkingLedger ledger = ledger(NOW, 0, 0);
    grant(ledger);

    assertThat(ledger.headroom(NOW).total()).isEqualTo(2 * 49);
    assertThat(ledger.headroom(NEXT).total()).isZero();
  }

  @Test
  void aside_isSetNoMoreThanIsLeft() {
    holders.add(asks("a", 100).leaseOf(34, NOW).get());
    holders.add(asks("b", 100).leaseOf(950, NOW).get());
    WorkingLedger ledger = ledger(NOW, 0, 0);
    grant(ledger);

    assertThat(ledger.headroom(NOW).total()).isEqualTo(1_000 - 34 - 950);
  }

  /** So that it does not go up and down with each report. */
  @ParameterizedTest
  @CsvSource({"98, 98", "99, 49", "50, 50", "48, 49"})
  void aside_isLowered_onceItIsTwiceAsMuchAsIsNeeded(long aside, long then) {
    holders.add(asks("a", 100).leaseOf(34, NOW).get());
    WorkingLedger ledger = ledger(NOW, aside, 0);
    grant(ledger);

    assertThat(ledger.headroom(NOW).total()).isEqualTo(then);
  }

  @Test
  void aside_isLowered_whereItIsMoreThanThereIs() {
    holders.add(asks("a", 100).leaseOf(34, NOW).get());
    holders.add(asks("b", 100).leaseOf(930, NOW).get());
    WorkingLedger ledger = ledger(NOW, 40, 0);
    grant(ledger);

    assertThat(ledger.headroom(NOW).total()).isEqualTo(36);
  }

  @Test
  void permits_thatAQueueIsDue_areReservedFromLiveHolders_only() {
    Holder queue = asks(HolderId.Replays.of(0).text(), 0).needs(5_000).get();
    holders.add(asks("a", 100).get());
    holders.add(queue);
    assertThat(grant(ledger(NOW, 50, 0)).reserved()).isEqualTo(200);

    holders.set(0, queue);
    holders.set(1, asks("a", 100).get());
    assertThat(grant(ledger(NOW, 50, 0)).reserved()).isZero();
  }

  /** 2 % of its fifth within two loops, or of all while nobody else asks. */
  @Test
  void queue_isGrantedItsPartLittleByLittle() {
    holders.add(asks(HolderId.Replays.of(0).text(), 0).needs(5_000).get());
    WorkingLedger alone = ledger(NOW, 50, 0);
    grant(alone);
    assertThat(leased(alone, NOW)).isEqualTo(20);

    holders.add(asks("a", 5_000).get());
    WorkingLedger beside = ledger(NOW, 50, 0);
    grant(beside);
    assertThat(leased(beside, NOW)).isEqualTo(4);
  }

  @Test
  void lease_isRenewed_butNotBeyondTheWindow_norIfItsWindowIsOver() {
    holders.add(asks("a", 0).leaseOf(3, NOW).reportedAgo(-WINDOW).get());
    assertThat(renewedAt(NOW + SECOND / 2)).isEqualTo(NOW + SECOND / 2 + 2 * SECOND);
    assertThat(renewedAt(NEXT - 1)).isEqualTo(NEXT + SETTINGS.borderNanos());
    assertThat(renewedAt(NEXT)).as("as it was").isEqualTo(NOW + SECOND);
  }

  private long renewedAt(long now) {
    WorkingLedger ledger = ledger(now, 0, 0);
    grant(ledger);
    return ledger.holders().get(0).cells().get(0).validUntilNanos();
  }
}
