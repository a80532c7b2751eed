package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.HolderBuilder.TERM;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is offered of a wanted share: what there is room for beside all that is in use. */
class SharingTest {
  private static final long COMMIT = 1;
  private static final long NEXT = NOW + SECOND;
  private static final Limit WINDOW = new FixedWindow(100, SECOND);
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 100);

  private final Sharing sharing =
      new Sharing(LedgerSettings.defaults(10).withValidity(new Validity(2 * SECOND, TERM)));
  private final List<Holder> holders = new ArrayList<>();

  private static HolderBuilder holder(String id) {
    return new HolderBuilder(id, 10);
  }

  private WorkingLedger ledger(Limit limit, long used) {
    LimitState state = limit.book(limit.initial(NOW), used, NOW);
    WorkingLedger ledger = HolderBuilder.ledger(limit, state, NOW, holders);
    ledger.lend();
    return ledger;
  }

  private LedgerShare offered(WorkingLedger ledger, ShareSize size) {
    sharing.offer(ledger, 0, size);
    return ledger.holders().get(0).share();
  }

  private long permits(WorkingLedger ledger, long wanted) {
    return offered(ledger, ShareSize.of(wanted)).offered().permits();
  }

  /** The cells of all windows of a term are to fit into a report. */
  @Test
  void term_ofShortWindows_isSixtyOfThem() {
    assertThat(sharing.termEnd(ledger(WINDOW, 0))).isEqualTo(NOW + TERM);
    assertThat(sharing.termEnd(ledger(new FixedWindow(10, SECOND / 10), 0)))
        .isEqualTo(NOW + 6 * SECOND);
    assertThat(sharing.termEnd(ledger(new TokenBucket(10, SECOND / 10, 10), 0)))
        .isEqualTo(NOW + TERM);
  }

  @Test
  void nothing_isOfferedToWhoIsToHaveNothing_andHasNothing() {
    holders.add(holder("a").get());
    WorkingLedger ledger = ledger(WINDOW, 0);

    assertThat(sharing.offer(ledger, 0, ShareSize.NONE)).isFalse();
    assertThat(ledger.holders().get(0).cells()).isEmpty();
  }

  /** Each that was ended is kept until its terms end, and a report with too many is refused. */
  @Test
  void whoHasMuchToSettle_beginsNoShare() {
    for (int most : new int[] {Sharing.MOST_BESIDE - 1, Sharing.MOST_BESIDE}) {
      HolderBuilder many = holder("a");
      for (int i = 0; i < most; i++) {
        many.leaseOf(1, NOW);
      }
      holders.clear();
      holders.add(many.get());
      assertThat(permits(ledger(new TokenBucket(1_000, SECOND, 1_000), 0), 40))
          .isEqualTo(most < Sharing.MOST_BESIDE ? 40 : 0);
    }
    holders.clear();
    HolderBuilder ofWindows = holder("a");
    for (int i = 0; i < Sharing.MOST_BESIDE_WINDOWS; i++) {
      ofWindows.leaseOf(1, NOW);
    }
    holders.add(ofWindows.get());
    assertThat(permits(ledger(WINDOW, 0), 40)).isZero();
    holders.clear();
    HolderBuilder shared = holder("a").shareOf(40);
    for (int i = 0; i < Sharing.MOST_BESIDE; i++) {
      shared.leaseOf(1, NOW);
    }
    holders.add(shared.get());
    assertThat(permits(ledger(new TokenBucket(1_000, SECOND, 1_000), 0), 20)).isEqualTo(20);
  }

  @Test
  void firstShare_isHeldBackUntilItIsCommitted() {
    holders.add(holder("a").get());
    WorkingLedger ledger = ledger(WINDOW, 0);

    assertThat(sharing.offer(ledger, 0, ShareSize.of(40))).isTrue();
    LedgerCell cell = ledger.holders().get(0).cells().get(0);
    assertThat(cell.id()).isEqualTo(NOW);
    assertThat(cell.validUntilNanos()).isEqualTo(NOW + TERM);
    assertThat(cell.share().offered().number()).isEqualTo(NOW);
    assertThat(cell.share().toSend(COMMIT).permits()).isZero();
    assertThat(cell.share().toSend(COMMIT + 1).permits()).isEqualTo(40);
    assertThat(cell.share().term().toSend(COMMIT + 1)).isEqualTo(NOW + TERM);
    assertThat(ledger.lentPermits()).isEqualTo(40);
  }

  /** Nobody knows yet which terms the holder keeps to. */
  @Test
  void otherTerms_areOfferedOnlyOnceTheOnesBeforeAreNamed() {
    holders.add(holder("a").get());
    WorkingLedger ledger = ledger(WINDOW, 0);

    assertThat(permits(ledger, 40)).isEqualTo(40);
    assertThat(permits(ledger, 60)).isEqualTo(40);
  }

  @Test
  void otherTerms_haveTheNextNumber_andAreNotHeldBack() {
    holders.add(holder("a").shareOf(40).get());
    WorkingLedger ledger = ledger(WINDOW, 0);

    assertThat(sharing.offer(ledger, 0, ShareSize.of(60))).isFalse();
    LedgerShare share = ledger.holders().get(0).share();
    assertThat(ledger.holders().get(0).cells()).hasSize(1);
    assertThat(share.offered().number()).isEqualTo(2);
    assertThat(share.offered().permits()).isEqualTo(60);
    assertThat(share.held().permits()).isEqualTo(40);
    assertThat(ledger.lentPermits()).isEqualTo(60);
  }

  /** Of 512 permits, two are the 256th part. */
  @ParameterizedTest
  @CsvSource({"514, 512", "515, 515", "510, 512", "509, 509", "0, 0"})
  void terms_thatDifferByATrifle_areNotWorthIt(long wanted, long then) {
    holders.add(holder("a").shareOf(512).get());

    assertThat(permits(ledger(new FixedWindow(1_000, SECOND), 0), wanted)).isEqualTo(then);
  }

  @Test
  void burst_thatDiffersByMoreThanATrifle_isWorthIt() {
    holders.add(holder("a").shareOf(100, 5_120).get());

    ShareSize trifle = new ShareSize(100, 5_140);
    ShareSize more = new ShareSize(100, 5_141);
    assertThat(offered(ledger(BUCKET, 0), trifle).offered().burstMillis()).isEqualTo(5_120);
    assertThat(offered(ledger(BUCKET, 0), more).offered().burstMillis()).isEqualTo(5_141);
  }

  /** 30 are used; leases have 20 of this window, or 60 of the next. */
  @Test
  void share_ofAWindow_isWhatIsLeftOfIt_andOfTheNextOne() {
    holders.add(holder("a").get());
    assertThat(permits(ledger(WINDOW, 30), 96)).isEqualTo(70);

    holders.add(holder("b").leaseOf(20, NOW).get());
    assertThat(permits(ledger(WINDOW, 30), 96)).isEqualTo(50);
    holders.set(1, holder("b").leaseOf(60, NEXT).get());
    assertThat(permits(ledger(WINDOW, 30), 96)).isEqualTo(40);
  }

  @Test
  void share_ofAWindow_growsByWhatIsFree_andShrinksWhereNothingIs() {
    holders.add(holder("a").shareOf(20).get());
    assertThat(permits(ledger(WINDOW, 70), 96)).isEqualTo(30);
    assertThat(permits(ledger(WINDOW, 90), 96)).as("it keeps what it has").isEqualTo(20);
    assertThat(permits(ledger(WINDOW, 90), 10)).isEqualTo(10);
  }

  /** What is set aside is not leased yet. */
  @Test
  void share_ofAWindow_takesWhatIsSetAside() {
    holders.add(holder("a").get());
    WorkingLedger ledger = ledger(WINDOW, 30);
    ledger.headroom(new Headroom(NOW, 25, 0, 0));
    ledger.headroom(new Headroom(NEXT, 25, 0, 0));

    assertThat(permits(ledger, 60)).isEqualTo(60);
    assertThat(ledger.headroom(NOW).total()).isEqualTo(10);
    assertThat(ledger.headroom(NEXT).total()).isEqualTo(25);
  }

  /** Of the rate, and of the capacity that is not leased, set aside or let. */
  @Test
  void share_ofABucket_isWhatIsFreeOfItsRateAndOfItsCapacity() {
    holders.add(holder("a").get());
    holders.add(holder("b").shareOf(700, 30_000).leaseOf(10, 0).get());
    WorkingLedger ledger = ledger(BUCKET, 0);
    ledger.headroom(new Headroom(0, 5, 0, 0));

    LedgerShare share = offered(ledger, new ShareSize(500, 60_000));
    assertThat(share.offered().permits()).isEqualTo(300);
    assertThat(share.offered().burstMillis()).isEqualTo(55_000);
    assertThat(ledger.headroom(0).total()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"999, 99000, 1, 1000", "1000, 99000, 0, 0", "999, 99001, 0, 0"})
  void share_ofABucket_isNone_whereLessThanAPermitIsFree(
      long letPermits, long letMillis, long permits, long millis) {
    holders.add(holder("a").get());
    holders.add(holder("b").shareOf(letPermits, letMillis).get());

    LedgerShare share = offered(ledger(BUCKET, 0), new ShareSize(500, 60_000));
    assertThat(share.offered().permits()).isEqualTo(permits);
    assertThat(share.offered().burstMillis()).isEqualTo(millis);
  }

  /** They do not fit into what is left of the bucket; of a broken one nothing goes along. */
  @ParameterizedTest
  @CsvSource({"0, 30000, 30", "0, 30500, 30", "20, 30000, 10", "40, 30000, 0"})
  void tokens_goAlongWithAShare_ofAFullBucket(long used, long burst, long filled) {
    holders.add(holder("a").get());

    assertThat(offered(ledger(BUCKET, used), new ShareSize(300, burst)).offered().filled())
        .isEqualTo(filled);
  }

  /**
   * The share may have filled by itself, and been used, when they come: they take room till then.
   */
  @Test
  void tokens_thatArePutIn_areSpent_andTakeRoomUntilTheirHolderNamesThem() {
    holders.add(holder("a").shareOf(4).get());
    WorkingLedger ledger = ledger(BUCKET, 0);
    assertThat(ledger.account.tokens()).isEqualTo(96);

    Sharing.putIn(ledger, 0, 3);
    assertThat(ledger.account.tokens()).isEqualTo(93);
    assertThat(ledger.lentMillis()).isEqualTo(7_000);
    assertThat(ledger.lentPermits()).isEqualTo(4);
    LedgerShare share = ledger.holders().get(0).share();
    assertThat(share.offered().filled()).isEqualTo(3);
    assertThat(share.isSettled()).isFalse();

    assertThat(share.named(share.offered().number()).burstMillis()).isEqualTo(4_000);
  }

  @Test
  void nothing_isPutIn_whereThereIsNoShareOrNoToken() {
    holders.add(holder("a").get());
    holders.add(holder("b").shareOf(4).get());
    WorkingLedger ledger = ledger(BUCKET, 0);
    Sharing.putIn(ledger, 0, 3);
    Sharing.putIn(ledger, 1, 0);

    assertThat(ledger.account.tokens()).isEqualTo(96);
    assertThat(ledger.holders().get(1).share().isSettled()).isTrue();
  }
}
