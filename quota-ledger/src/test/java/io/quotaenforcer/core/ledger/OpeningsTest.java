package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a key of 100 permits in ten seconds stays short, and what is told of it. */
class OpeningsTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);
  private static final long LEASE = SETTINGS.allotmentTtlNanos();
  private static final long WINDOW = 10 * SECOND;
  private static final long NEXT = NOW + WINDOW;
  private static final Limit LIMIT = new FixedWindow(100, WINDOW);
  private static final RuleId ID = new RuleId("test", "rule");
  private static final Rule BALANCED =
      Rule.of(ID, List.of("user"), LIMIT).withEnforcement(Enforcement.BALANCED);

  /** Short for one more nanosecond. */
  private static final Trust SHORT = new Trust(NOW + 1, 0, 0, 0, 0);

  private static final Trust ABUSED = new Trust(0, NOW + 7, 1, 0, 0);

  private final Openings openings = new Openings(SETTINGS);
  private final List<Holder> holders = new ArrayList<>();

  private WorkingLedger ledger(long now, long used, Trust trust) {
    WorkingLedger ledger =
        HolderBuilder.ledger(LIMIT, LIMIT.book(LIMIT.initial(NOW), used, NOW), now, holders);
    ledger.trust = trust;
    return ledger;
  }

  private boolean staysShort(Rule rule, Trust before, long used, long needed, boolean scarce) {
    WorkingLedger ledger = ledger(NOW, used, before);
    QuotaUsage usage = new QuotaUsage(QuotaKey.of(ID, List.of("42")), 1, 0, needed, List.of());
    openings.judge(ledger, rule, usage, scarce);
    return ledger.trust.shortUntilNanos() > NOW + 1;
  }

  private static HolderBuilder asks(String id, double perSecond) {
    return new HolderBuilder(id, perSecond);
  }

  /** Nine tenths of the ten permits a second, by all that were heard of within a lease. */
  @ParameterizedTest
  @CsvSource({"4, 0, true", "3.9, 0, false", "4, 1, false"})
  void shortKey_staysSo_whileAboutTheLimitIsAskedFor(
      double ofOther, long silentFor, boolean stays) {
    holders.add(asks("a", 5).get());
    holders.add(asks("b", ofOther).reportedAgo(LEASE + silentFor).get());

    assertThat(staysShort(BALANCED, SHORT, 0, 0, false)).isEqualTo(stays);
    assertThat(staysShort(BALANCED, Trust.WHOLE, 0, 0, false)).as("never short before").isFalse();
  }

  @Test
  void shortKey_staysSo_whileHoldersNeedMoreThanThereIs() {
    holders.add(asks("a", 5).get());
    assertThat(staysShort(BALANCED, SHORT, 0, 0, true)).isTrue();
    assertThat(staysShort(BALANCED, Trust.WHOLE, 0, 0, true)).isFalse();
  }

  /** Five a second are half a request in a loop of a tenth. */
  @ParameterizedTest
  @CsvSource({"5, 1, true", "4.9, 1, false", "100, 20, true", "99, 20, false"})
  void shortKey_whoseRequestsComeSeldom_doesNotStaySo(double perSecond, long cost, boolean stays) {
    holders.add(asks("a", perSecond).costs(cost).get());

    assertThat(staysShort(BALANCED, SHORT, 0, 0, true)).isEqualTo(stays);
    holders.set(0, asks("a", perSecond).get());
    holders.add(asks("b", 0).needs(cost, cost).get());
    assertThat(staysShort(BALANCED, SHORT, 0, 0, true)).as("one waits").isEqualTo(stays);
  }

  @Test
  void key_isShort_onceMoreIsAskedForAndNothingIsLeft() {
    assertThat(staysShort(BALANCED, Trust.WHOLE, 100, 1, false)).isTrue();
    assertThat(staysShort(BALANCED, Trust.WHOLE, 99, 1, false)).isFalse();
    assertThat(staysShort(BALANCED, Trust.WHOLE, 100, 0, false)).isFalse();
  }

  @Test
  void strictKey_isNeverShort() {
    Rule strict = BALANCED.withEnforcement(Enforcement.STRICT);

    assertThat(staysShort(strict, SHORT, 100, 1, true)).isFalse();
  }

  @Test
  void abusedKey_isOpenedByAnEvenPart_ofThoseInUse() {
    holders.add(asks("a", 1).leaseOf(5, NOW).get());
    holders.add(asks("b", 1).reportedAgo(LEASE).get());
    holders.add(asks("c", 1).get());
    holders.add(asks("silent", 1).reportedAgo(LEASE + 1).get());

    assertThat(opening(0, Trust.WHOLE, 0)).isEqualTo(95);
    assertThat(opening(0, ABUSED, 0)).isEqualTo(33);
    assertThat(opening(70, ABUSED, 0)).as("30 less the 5 that it holds").isEqualTo(25);
    assertThat(opening(98, ABUSED, 0)).isZero();
    assertThat(opening(0, SHORT, 0)).isZero();
    assertThat(opening(0, SHORT, 1)).as("no more").isEqualTo(95);
  }

  private long opening(long used, Trust trust, long later) {
    return openings.of(ledger(NOW + later, used, trust), holders.get(0), BALANCED);
  }

  @Test
  void opening_isGoodUntilTheKeyIsShortOrAbusedNoMore() {
    assertThat(openings.until(ledger(NOW, 0, Trust.WHOLE))).isZero();
    assertThat(openings.until(ledger(NOW, 0, SHORT))).isEqualTo(NOW + 1);
    assertThat(openings.until(ledger(NOW, 0, ABUSED))).isEqualTo(NOW + 7);
    assertThat(openings.until(ledger(NOW + 7, 0, ABUSED))).isZero();
  }

  private Optional<ExhaustedQuota> announced(long now, long used, Trust trust) {
    return openings.announce(ledger(now, used, trust), trust);
  }

  /** Not where it is over by the time that they hear of it. */
  @ParameterizedTest
  @CsvSource({"100, 200, true", "100, 199, false", "99, 200, false"})
  void usedUpKey_isToldToItsUsers(long used, long leftMillis, boolean told) {
    long now = NEXT - leftMillis * MILLI;
    holders.add(asks("a", 1).reportedAgo(NOW - now).get());
    holders.add(asks("b", 1).reportedAgo(NOW - now + LEASE).get());

    Optional<ExhaustedQuota> news = Optional.of(new ExhaustedQuota(1, NEXT, 50, 0));
    assertThat(announced(now, used, Trust.WHOLE)).isEqualTo(told ? news : Optional.empty());
  }

  @Test
  void usedUpKey_thatOneUses_isNotTold() {
    holders.add(asks("a", 1).get());
    holders.add(asks("b", 1).reportedAgo(LEASE + 1).get());

    assertThat(announced(NOW, 100, Trust.WHOLE)).isEmpty();
  }

  @Test
  void usedUpKey_isToldWithItsAbuse_whileThatLasts() {
    holders.add(asks("a", 1).get());
    holders.add(asks("b", 1).get());

    assertThat(announced(NOW, 100, ABUSED)).hasValue(new ExhaustedQuota(1, NEXT, 50, NOW + 7));
    assertThat(announced(NOW + 7, 100, ABUSED)).hasValue(new ExhaustedQuota(1, NEXT, 50, 0));
    assertThat(announced(NOW, 99, ABUSED)).as("known already").isEmpty();
  }

  /** Its holder goes on by that. */
  @Test
  void usedUpKey_whoseSharesHavePermitsLeft_isNotTold() {
    holders.add(asks("a", 1).shareOf(30).get());
    holders.add(asks("b", 1).get());
    WorkingLedger ledger = ledger(NOW, 70, Trust.WHOLE);
    ledger.lend();

    assertThat(ledger.unused(NOW)).isZero();
    assertThat(openings.announce(ledger, Trust.WHOLE)).isEmpty();
  }

  @Test
  void penalty_isToldToItsEnd_withTheAbuseThatIsKnown() {
    holders.add(asks("a", 1).get());
    WorkingLedger ledger = ledger(NOW, 0, ABUSED);
    ledger.penalty = new PenaltyState(List.of(), 0, 1, NEXT + 5, WINDOW);

    assertThat(openings.penalized(ledger)).isEqualTo(new ExhaustedQuota(1, NEXT + 5, 100, NOW + 7));
    ledger.trust = Trust.WHOLE;
    assertThat(openings.penalized(ledger).abusedUntilNanos()).isZero();
  }

  @Test
  void keyThatMayHavePermitsAgain_isOpenedByAnEvenPart_ofThoseInUse() {
    holders.add(asks("a", 1).get());
    holders.add(asks("b", 1).reportedAgo(LEASE).get());
    holders.add(asks("silent", 1).reportedAgo(LEASE + 1).get());
    KeyLedger kept = ledger(NOW, 0, ABUSED).toLedger();

    assertThat(openings.unexhausted(kept, LIMIT, NOW - 1))
        .isEqualTo(new ExhaustedQuota(1, NOW, 50, NOW + 7));
    assertThat(openings.unexhausted(kept, LIMIT, NOW + 7).abusedUntilNanos()).isZero();
  }
}
