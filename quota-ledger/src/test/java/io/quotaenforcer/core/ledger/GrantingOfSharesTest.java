package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to holders of shares: what they are leased beside, and what they are to hear soon. */
class GrantingOfSharesTest {
  private static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(2 * SECOND, HolderBuilder.TERM));
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);
  private static final long NEXT = NOW + SECOND;
  private static final Limit AMPLE_BUCKET = new TokenBucket(1_000, SECOND, 1_000_000);
  private static final Limit TIGHT_BUCKET = new TokenBucket(1_000, SECOND, 20);

  private final List<Holder> holders = new ArrayList<>();

  private static HolderBuilder steady(double perSecond) {
    return new HolderBuilder("a", perSecond);
  }

  private WorkingLedger ledger(Limit limit, long now, long used) {
    WorkingLedger ledger =
        HolderBuilder.ledger(limit, limit.book(limit.initial(NOW), used, NOW), now, holders);
    ledger.lend();
    return ledger;
  }

  private static Granting.Outcome grant(WorkingLedger ledger) {
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), ledger.limit);
    return new Granting(SETTINGS).grant(ledger, 0, rule, 0);
  }

  /** 100 are available, and the share of the other lacks 190. */
  @Test
  void whatAShareOfAnotherLacks_isNotProvided() {
    holders.add(steady(2_500).shareOf(480).get());
    holders.add(new HolderBuilder("b", 2_500).shareOf(300).get());
    WorkingLedger ledger = ledger(new SlidingLog(1_000, SECOND, false), NOW, 120);
    ledger.headroom(new Headroom(0, 100, 0, 0));
    grant(ledger);

    assertThat(ledger.holders().get(0).outstanding(ledger.limit, 0)).isZero();
  }

  /** It is to have 100: others wait for what is cut. */
  @ParameterizedTest
  @CsvSource({"200, true, 100", "50, false, 100", "100, false, 100"})
  void shareOfAWindow_thatIsCut_isToldAtOnce(long held, boolean told, long offered) {
    holders.add(steady(110.6).shareOf(held).get());
    WorkingLedger ledger = ledger(WINDOW, NOW, 0);
    Granting.Outcome outcome = grant(ledger);

    assertThat(ledger.holders().get(0).share().offered().permits()).isEqualTo(offered);
    assertThat(outcome.mayGetMore()).isEqualTo(told);
    assertThat(outcome.urgent()).isFalse();
  }

  /** What lies between its terms comes to nobody. */
  @ParameterizedTest
  @CsvSource({"200, true", "50, true", "100, false"})
  void shareOfABucket_thatChanges_isToldAtOnce(long held, boolean told) {
    holders.add(steady(110.6).shareOf(held, 20_000).get());

    WorkingLedger ledger = ledger(AMPLE_BUCKET, NOW, 0);
    ledger.headroom(new Headroom(0, 100, 0, 0));
    assertThat(grant(ledger).mayGetMore()).isEqualTo(told);
  }

  /** One of 15 permits is more than an even share of 20 holds, and its permits are kept for it. */
  @ParameterizedTest
  @CsvSource({"15, true", "5, false", "0, false"})
  void request_thatNoShareOfADividedBucketHolds_isWorthAnotherAnswer(long needed, boolean more) {
    holders.add(steady(1_000).needs(needed).shareOf(500, 9_000).get());
    holders.add(new HolderBuilder("b", 1_000).shareOf(500, 9_000).get());
    Granting.Outcome outcome = grant(ledger(TIGHT_BUCKET, NOW, 0));

    assertThat(outcome.mayGetMore()).isEqualTo(more);
    assertThat(outcome.urgent()).isEqualTo(more);
    assertThat(outcome.scarce()).as("2,000 are asked for").isTrue();
  }

  @Test
  void firstShareOfADividedBucket_isUrgent() {
    holders.add(steady(1_000).get());
    WorkingLedger ledger = ledger(TIGHT_BUCKET, NOW, 0);
    Granting.Outcome outcome = grant(ledger);

    assertThat(outcome.mayGetMore()).isTrue();
    assertThat(outcome.urgent()).isTrue();
    assertThat(ledger.holders().get(0).share().offered().permits()).isEqualTo(1_000);
  }

  /** 900 of this window are used: it is to grow by that much when the next one begins. */
  @Test
  void nextWindow_isNotLeasedToWhoseShareIsToGrow() {
    long now = NEXT - 200 * MILLI;
    holders.add(steady(1_100).reportedAgo(NOW - now).get());
    WorkingLedger ledger = ledger(WINDOW, now, 900);
    ledger.headroom(new Headroom(NEXT, 900, 0, 0));
    grant(ledger);

    assertThat(ledger.holders().get(0).share().offered().permits()).isEqualTo(100);
    assertThat(ledger.holders().get(0).outstanding(WINDOW, NEXT)).isZero();
  }

  /** It has 700, is to have 800, and 790 are there in this window: ten more begin with the next. */
  @Test
  void nextWindow_isLeasedLess_toWhoseShareIsToGrow() {
    long now = NEXT - 200 * MILLI;
    holders.add(steady(828.8).needs(30).reportedAgo(NOW - now).shareOf(700).get());
    WorkingLedger ledger = ledger(WINDOW, now, 210);
    ledger.headroom(new Headroom(NEXT, 900, 0, 0));
    grant(ledger);

    assertThat(ledger.holders().get(0).share().offered().permits()).isEqualTo(790);
    assertThat(ledger.holders().get(0).outstanding(WINDOW, NEXT)).isEqualTo(30 - 10);
  }

  @Test
  void share_isRenewedForATerm_andLeasesForALease() {
    holders.add(steady(110.6).until(NOW + SECOND).shareOf(100).leaseOf(7, NOW).get());
    WorkingLedger ledger = ledger(WINDOW, NOW + SECOND / 2, 0);
    grant(ledger);

    List<LedgerCell> cells = ledger.holders().get(0).cells();
    assertThat(cells.get(0).validUntilNanos()).isEqualTo(NOW + SECOND / 2 + HolderBuilder.TERM);
    assertThat(cells.get(1).validUntilNanos()).isEqualTo(NEXT + SETTINGS.borderNanos());
  }

  /** Half a second of what its share does not bring, from what is left when all have theirs. */
  @Test
  void holderOfAShare_isProvidedForLonger() {
    holders.add(steady(300).shareOf(100).get());
    WorkingLedger ledger = ledger(WINDOW, NOW, 0);
    ledger.headroom(new Headroom(NOW, 500, 0, 0));
    grant(ledger);
    assertThat(ledger.holders().get(0).outstanding(WINDOW, NOW)).isEqualTo(74);
  }
}
