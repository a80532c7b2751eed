package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a small bucket is divided into rate shares, and among whom. */
class ShareDivisionTest {
  private static final long LOOP = 50 * MILLI;
  private static final long DAY = 24 * 3_600 * SECOND;

  /** Instances that report in turn, and name the newest terms that they have heard of. */
  private static final class Fleet {
    private final TestLedger ledger;
    private final Map<String, CellGrant> shares = new TreeMap<>();

    Fleet(Limit limit) {
      ledger = new TestLedger(limit);
    }

    RateShare report(String instance, double demand) {
      TestLedger.Report report = ledger.from(instance).demand(demand).loop(LOOP);
      CellGrant known = shares.get(instance);
      if (known != null) {
        CellUsage usage = CellUsage.of(known.id(), 0);
        report.cell(usage.ofShare(known.share().number()));
      }
      for (CellGrant grant : report.send().grants()) {
        if (grant.share().isShare()) {
          shares.put(instance, grant);
        }
      }
      return share(instance);
    }

    RateShare share(String instance) {
      CellGrant known = shares.get(instance);
      return known == null ? RateShare.NONE : known.share();
    }

    void loops(int loops, Map<String, Double> demands) {
      for (int i = 0; i < loops; i++) {
        // In the same order in every JVM.
        new TreeMap<>(demands).forEach(this::report);
        ledger.passes(LOOP);
      }
    }

    /** Most of the capacity is let: steady demand alone has half of it at most. */
    boolean divided() {
      Lent lent = Lent.of(ledger.state.holders(), ledger.state.generation());
      return lent.millis() > 500 * ledger.state.limit().capacity();
    }
  }

  /**
   * Permits that are not asked for go to all in proportion; where more is asked for than there is,
   * the modest come first.
   */
  @ParameterizedTest
  @CsvSource({
    // Demands of two instances on 1000 permits a second, and what they end up with.
    "1000, 1000, 500, 500",
    "500, 500, 500, 500",
    "5000, 300, 700, 300",
    "5000, 5000, 500, 500"
  })
  void demands_thatStay_areSharedMaxMinFair(double a, double b, long ofA, long ofB) {
    Fleet fleet = new Fleet(new TokenBucket(1_000, SECOND, 20));
    fleet.loops(100, Map.of("a", a, "b", b));

    assertThat(fleet.divided()).isTrue();
    assertThat(fleet.share("a").permits()).isBetween(ofA - 15, ofA + 15);
    assertThat(fleet.share("b").permits()).isBetween(ofB - 15, ofB + 15);
  }

  @Test
  void demands_anyOfThem_neverMoreThanTheBucketTogether_andHardlyLess() {
    Seeded.check(
        60,
        random -> {
          long permits = 200 + random.nextLong(2_000);
          long burst = 4 + random.nextLong(Math.max(1, permits / 50));
          Fleet fleet = new Fleet(new TokenBucket(permits, SECOND, burst));
          Map<String, Double> demands = new TreeMap<>();
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            demands.put("i" + i, permits * (0.3 + random.nextDouble()));
          }
          for (int i = 0; i < 40; i++) {
            fleet.loops(1, demands);
            long rate = demands.keySet().stream().mapToLong(it -> fleet.share(it).permits()).sum();
            long millis =
                demands.keySet().stream().mapToLong(it -> fleet.share(it).burstMillis()).sum();
            assertThat(rate).as("%s of %d", demands, permits).isLessThanOrEqualTo(permits);
            assertThat(millis).isLessThanOrEqualTo(burst * 1_000);
          }
          if (fleet.divided()) {
            long rate = demands.keySet().stream().mapToLong(it -> fleet.share(it).permits()).sum();
            assertThat(rate).as("%s of %d", demands, permits).isGreaterThan(permits * 9 / 10);
          }
        });
  }

  /** Where the bucket lasts for a few loops, leases carry the load. */
  @ParameterizedTest
  @CsvSource({
    // 1000 a second refill 50 in a loop: from 80 on it lasts for more than 1.6 loops.
    "1000, 20, 2000, true",
    "1000, 70, 2000, true",
    "1000, 90, 2000, false",
    "1000, 200, 5000, false",
    // Asked for less than its capacity within two loops.
    "1000, 20, 150, false",
    "1000, 20, 250, true",
    "1000, 20, 0, false"
  })
  void bucket_isDivided_ifItRefillsWithinFewLoops_andIsAskedForMoreThanItHolds(
      long permits, long burst, double demand, boolean divided) {
    Fleet fleet = new Fleet(new TokenBucket(permits, SECOND, burst));
    fleet.loops(8, Map.of("a", demand));

    assertThat(fleet.divided()).isEqualTo(divided);
  }

  /** It does not go back and forth at the border. */
  @Test
  void dividedBucket_demandFallsALittleBelow_staysSo_muchBelow_isLeasedAgain() {
    Fleet fleet = new Fleet(new TokenBucket(1_000, SECOND, 20));
    fleet.loops(8, Map.of("a", 250.0));
    assertThat(fleet.divided()).isTrue();

    fleet.loops(20, Map.of("a", 150.0));
    assertThat(fleet.divided()).as("a new key would not be").isTrue();
    assertThat(fleet.share("a").permits()).isPositive();

    fleet.loops(20, Map.of("a", 50.0));
    assertThat(fleet.divided()).isFalse();
    assertThat(fleet.share("a").permits()).isLessThanOrEqualTo(60);
  }

  /** A share of one permit in more than a day comes too late for anybody. */
  @Test
  void bucket_ofMoreThanADay_isNeverDivided() {
    Fleet aDay = new Fleet(new TokenBucket(86_400_000, DAY, 20));
    Fleet longer = new Fleet(new TokenBucket(86_400_000 * 2, 2 * DAY, 20));
    aDay.loops(8, Map.of("a", 2_000.0));
    longer.loops(8, Map.of("a", 2_000.0));

    assertThat(aDay.divided()).isTrue();
    assertThat(longer.divided()).isFalse();
  }

  @Test
  void leakyBucket_isDividedAsTheBucketThatItIs() {
    Fleet fleet = new Fleet(LeakyBucket.of(1_000, SECOND, 19));
    fleet.loops(8, Map.of("a", 2_000.0, "b", 2_000.0));

    assertThat(fleet.share("a").permits()).isEqualTo(500);
    assertThat(fleet.share("b").permits()).isEqualTo(500);
  }

  @Test
  void demand_thatVariesByChance_movesItsShareOnlySlowly() {
    Fleet fleet = new Fleet(new TokenBucket(1_000, SECOND, 20));
    fleet.loops(40, Map.of("a", 600.0, "b", 600.0));
    long before = fleet.share("a").permits();

    fleet.loops(2, Map.of("a", 560.0, "b", 600.0));
    assertThat(fleet.share("a").permits()).as("may be chance").isGreaterThan(before - 15);

    fleet.loops(4, Map.of("a", 100.0, "b", 1_000.0));
    assertThat(fleet.share("a").permits()).as("is none").isLessThan(200);
  }

  @Test
  void answer_holdersAskForMoreThanTheRate_isScarce_elseNot() {
    Fleet fleet = new Fleet(new TokenBucket(1_000, SECOND, 20));
    fleet.loops(8, Map.of("a", 700.0, "b", 700.0));
    assertThat(fleet.ledger.from("a").demand(700).loop(LOOP).send().answer.scarce()).isTrue();

    Fleet enough = new Fleet(new TokenBucket(1_000, SECOND, 20));
    enough.loops(8, Map.of("a", 300.0, "b", 300.0));
    assertThat(enough.divided()).isTrue();
    assertThat(enough.ledger.from("a").demand(300).loop(LOOP).send().answer.scarce()).isFalse();
  }

  /** A share that is not named keeps its place: its holder may keep to either terms. */
  @Test
  void offer_notNamedYet_isTheLargerOfBoth() {
    LedgerShare share = LedgerShare.NONE.withOffer(1, new ShareSize(100, 5_000), 1, 10);
    assertThat(share.permits()).isEqualTo(100);
    assertThat(share.isSettled()).isFalse();
    assertThat(share.toSend(1)).as("not committed").isEqualTo(RateShare.NONE);
    assertThat(share.toSend(2)).isEqualTo(new RateShare(1, 100, 5_000));
    assertThat(share.isHeldBack(1)).isTrue();
    assertThat(share.isHeldBack(2)).isFalse();

    LedgerShare named = share.named(1);
    assertThat(named.isSettled()).isTrue();
    LedgerShare less = named.withOffer(2, new ShareSize(40, 9_000), 3, 20);
    assertThat(less.permits()).isEqualTo(100);
    assertThat(less.burstMillis()).isEqualTo(9_000);
    assertThat(less.named(1)).as("still the older terms").isEqualTo(less);
    assertThat(less.named(2).permits()).isEqualTo(40);
    assertThat(less.sinceNanos()).as("it has more than nothing since then").isEqualTo(10);
    assertThat(less.named(2).withOffer(3, ShareSize.NONE, 4, 30).sinceNanos()).isEqualTo(30);
    assertThat(less.takenOver().toSend(Long.MIN_VALUE + 1)).isEqualTo(less.offered());
    assertThat(LedgerShare.NONE.isShare()).isFalse();
    assertThat(LedgerShare.NONE.named(7)).isEqualTo(LedgerShare.NONE);
    assertThat(LedgerShare.NONE.takenOver()).isEqualTo(LedgerShare.NONE);
  }
}
