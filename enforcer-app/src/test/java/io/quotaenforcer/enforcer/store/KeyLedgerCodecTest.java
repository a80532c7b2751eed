package io.quotaenforcer.enforcer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.ledger.Booking;
import io.quotaenforcer.core.ledger.ClassReport;
import io.quotaenforcer.core.ledger.ClockBound;
import io.quotaenforcer.core.ledger.Counting;
import io.quotaenforcer.core.ledger.Grant;
import io.quotaenforcer.core.ledger.Headroom;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.HolderCells;
import io.quotaenforcer.core.ledger.HolderKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.KeyTimes;
import io.quotaenforcer.core.ledger.LastReport;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.ledger.ReportTime;
import io.quotaenforcer.core.ledger.Settled;
import io.quotaenforcer.core.ledger.ShareTerm;
import io.quotaenforcer.core.ledger.StateClock;
import io.quotaenforcer.core.ledger.SteadyDemand;
import io.quotaenforcer.core.ledger.Trust;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyLedgerCodecTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 1_700_000_000L * SECOND;
  private static final long[] EDGES = {
    0, 1, -1, 63, 64, -64, -65, 127, 128, 255, 256, NOW, Long.MAX_VALUE, Long.MIN_VALUE
  };

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void row_anyLedger_readsBackAsItWas(long seed) {
    KeyLedger ledger = new Ledgers(seed).next();
    assertThat(KeyLedgerCodec.read(KeyLedgerCodec.write(ledger))).isEqualTo(ledger);
  }

  @Test
  void row_ofSlots_readsBackAsItWas() {
    ConcurrencyLimit limit = new ConcurrencyLimit(20, 90 * SECOND);
    KeyLedger ledger =
        new KeyLedger(
            new Counting(1, limit, limit.book(limit.initial(NOW), 13, NOW), StateClock.ENFORCER),
            new KeyTimes(NOW, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            List.of(holder("a")));
    assertThat(KeyLedgerCodec.read(KeyLedgerCodec.write(ledger))).isEqualTo(ledger);
  }

  /** Each has some holders of the one before, and its time, or another. */
  @ParameterizedTest
  @MethodSource("seeds")
  void rows_oneAfterTheOther_readBackAsTheyWere(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Ledgers ledgers = new Ledgers(random);
    WrittenLedger written = WrittenLedger.NONE;
    KeyLedger ledger = ledgers.next();
    for (int i = 0; i < 10; i++) {
      ledger = ledgers.after(ledger);
      List<WindowCount> counts = ledgers.counts();
      KeyLedgerCodec.Row row =
          KeyLedgerCodec.readRow(KeyLedgerCodec.write(ledger, counts, written));
      assertThat(row.ledger()).as("row %d", i).isEqualTo(ledger);
      assertThat(row.counts()).isEqualTo(counts);
      ledger = row.ledger();
      written = row.written();
    }
  }

  @Test
  void row_whoseHoldersAreTheSame_isWrittenFromTheOneBefore() {
    KeyLedger ledger = ledger(new SlidingWindow(10, SECOND), List.of(holder("a"), holder("b")));
    byte[] row = KeyLedgerCodec.write(ledger);
    KeyLedgerCodec.Row before = KeyLedgerCodec.readRow(row);
    // Nobody but the next row sees this.
    row[row.length - 1]++;

    assertThat(KeyLedgerCodec.write(before.ledger(), List.of(), before.written())).isEqualTo(row);
    assertThat(KeyLedgerCodec.write(ledger)).isNotEqualTo(row);
  }

  @Test
  void row_muchLater_isNoLongerThanOneOfItsOwn() {
    KeyLedger early = ledger(new SlidingWindow(10, SECOND), List.of(holder("a")));
    WrittenLedger before = KeyLedgerCodec.readRow(KeyLedgerCodec.write(early)).written();
    KeyLedger late =
        new KeyLedger(
            new Counting(1, early.limit(), early.state(), StateClock.ENFORCER),
            new KeyTimes(NOW + 3_600 * SECOND, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            early.holders());

    assertThat(KeyLedgerCodec.write(late, List.of(), before)).isEqualTo(KeyLedgerCodec.write(late));
  }

  @Test
  void row_cutOff_saysSo() {
    byte[] row = KeyLedgerCodec.write(new Ledgers(1).next());
    for (int length = 1; length < row.length; length++) {
      byte[] part = Arrays.copyOf(row, length);
      assertThatThrownBy(() -> KeyLedgerCodec.read(part))
          .as("%d of %d bytes", length, row.length)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a ledger row is cut off");
    }
  }

  @Test
  void row_ofAnotherVersion_saysWhich() {
    byte[] row = KeyLedgerCodec.write(new Ledgers(1).next());
    row[0] = 3;
    assertThatThrownBy(() -> KeyLedgerCodec.read(row))
        .hasMessageContaining("a ledger row has format version 3");
  }

  @Test
  void row_withoutPenalty_isReadByEnforcersThatKnowOfNone_andOneWithItIsNot() {
    KeyLedger plain = ledger(new SlidingWindow(10, SECOND), List.of());
    PenaltyState penalty = new PenaltyState(List.of(), 0, 1, NOW + SECOND, SECOND);
    KeyLedger penalized =
        new KeyLedger(
            plain.counting(), plain.times(), Trust.WHOLE, penalty, List.of(), plain.holders());
    assertThat(KeyLedgerCodec.write(plain)[0]).isEqualTo((byte) 1);
    assertThat(KeyLedgerCodec.write(penalized)[0]).isEqualTo((byte) 2);
    assertThat(KeyLedgerCodec.read(KeyLedgerCodec.write(penalized))).isEqualTo(penalized);
  }

  @Test
  void row_ofAHundredInstancesThatHoldNothing_isShort() {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      long reported = NOW - i * SECOND;
      holders.add(
          new Holder(
              new HolderKey(
                  HolderId.of("posts-7c9f6d5b84-%05d".formatted(i)), 0x5eed_0000_0000_0000L + i, 1),
              new LastReport(0, 0, 0, 31_234_567, ReportTime.came(reported), ClockBound.NONE),
              new Settled(reported, -3),
              HolderCells.NONE));
    }
    KeyLedger ledger = ledger(new SlidingWindow(10, 60 * SECOND), holders);
    assertThat(KeyLedgerCodec.write(ledger).length / 100).isLessThan(60);
  }

  private static Holder holder(String instance) {
    return new Holder(
        new HolderKey(HolderId.of(instance), 1, 1),
        new LastReport(5, 4, 0, 0, ReportTime.came(NOW), ClockBound.NONE),
        new Settled(0, 0),
        HolderCells.NONE);
  }

  private static HolderCells cells(LedgerCell... cells) {
    return HolderCells.of(List.of(cells));
  }

  private static KeyLedger ledger(Limit limit, List<Holder> holders) {
    return new KeyLedger(
        new Counting(1, limit, limit.initial(NOW), StateClock.ENFORCER),
        new KeyTimes(NOW, 0, 0, 0),
        Trust.WHOLE,
        List.of(),
        holders);
  }

  /** Ledgers of random parts: usual values, and the edges of what a number can be. */
  private record Ledgers(SplittableRandom random) {
    Ledgers(long seed) {
      this(new SplittableRandom(seed));
    }

    KeyLedger next() {
      Limit limit =
          switch (random.nextInt(9)) {
            case 0 -> new FixedWindow(random.nextLong(1_000), 60 * SECOND);
            case 1 -> new SlidingWindow(random.nextLong(1_000), SECOND);
            case 2 ->
                new FixedWindow(
                    random.nextLong(1_000),
                    new Windows.Calendar(Windows.CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));
            case 3 -> new SlidingSubWindows(random.nextLong(1_000), SECOND, 10);
            case 4 -> new SlidingLog(random.nextLong(1_000), SECOND, random.nextBoolean());
            case 5 -> new IntervalBucket(1 + random.nextLong(1_000), SECOND, 9, 4);
            case 6 -> new WarmUpBucket(1 + random.nextLong(1_000), SECOND, 9, 4, SECOND);
            case 7 -> LeakyBucket.of(1 + random.nextLong(1_000), SECOND, random.nextInt(9));
            default -> new TokenBucket(1 + random.nextLong(1_000), SECOND, 1 + random.nextInt(9));
          };
      return new KeyLedger(
          new Counting(number(), limit, state(limit), new StateClock(number(), number())),
          new KeyTimes(number(), number(), number(), number()),
          trust(),
          penalty(),
          some(() -> new Headroom(number(), number(), number(), number())),
          random.nextInt(4) > 0 ? some(this::holder) : many());
    }

    private PenaltyState penalty() {
      return random.nextBoolean()
          ? PenaltyState.NONE
          : new PenaltyState(
              Stream.generate(() -> new PenaltyState.Throttled(number(), number()))
                  .limit(random.nextInt(PenaltyState.PARTS + 1))
                  .toList(),
              number(),
              random.nextInt(),
              number(),
              number());
    }

    private LimitState state(Limit limit) {
      if (limit instanceof FixedWindow) {
        return new FixedWindow.State(number(), number(), number());
      }
      if (limit instanceof SlidingWindow) {
        return new SlidingWindow.State(number(), number(), number());
      }
      if (limit instanceof SlidingSubWindows) {
        return SlidingSubWindows.State.of(number(), numbers(10));
      }
      if (limit instanceof SlidingLog) {
        return SlidingLog.State.of(
            number(), random.nextBoolean(), numbers(2 * random.nextInt(100)));
      }
      if (limit instanceof IntervalBucket) {
        return random.nextBoolean()
            ? new IntervalBucket.State(number(), number(), number())
            : new IntervalBucket.State(number(), number(), number(), number(), number());
      }
      if (limit instanceof WarmUpBucket) {
        return new WarmUpBucket.State(number(), number(), number(), number());
      }
      return random.nextBoolean()
          ? new TokenBucket.State(number(), number(), number(), 0, 0)
          : new TokenBucket.State(number(), number(), number(), number(), number());
    }

    private long[] numbers(int count) {
      return LongStream.generate(this::number).limit(count).toArray();
    }

    private List<Holder> many() {
      return Stream.generate(this::holder).limit(9 + random.nextInt(20)).toList();
    }

    /** Some of its holders changed, went or came, and some time passed. */
    KeyLedger after(KeyLedger before) {
      List<Holder> holders = new ArrayList<>();
      for (Holder holder : before.holders()) {
        switch (random.nextInt(5)) {
          case 0 -> holders.add(holder());
          case 1 -> {}
          default -> holders.add(holder);
        }
      }
      if (random.nextInt(3) == 0) {
        holders.add(random.nextInt(holders.size() + 1), holder());
      }
      KeyLedger next = next();
      return new KeyLedger(
          new Counting(next.generation(), next.limit(), next.state(), next.clock()),
          new KeyTimes(
              random.nextInt(4) == 0
                  ? number()
                  : before.timeNanos() + random.nextLong(100 * SECOND),
              next.grantableFromNanos(),
              next.exhaustedUntilNanos(),
              next.tenure()),
          next.trust(),
          next.penalty(),
          next.headrooms(),
          holders);
    }

    List<WindowCount> counts() {
      return Stream.generate(() -> new WindowCount(number(), number(), number()))
          .limit(random.nextInt(4))
          .toList();
    }

    private Holder holder() {
      return new Holder(
          new HolderKey(
              HolderId.of(random.nextInt(3) == 0 ? "Ünïcödé ☃" : "x".repeat(random.nextInt(200))),
              random.nextLong(),
              number()),
          new LastReport(
              random.nextInt(3) == 0 ? 0 : random.nextDouble(1e6),
              steady(),
              new Need(number(), number(), RequestCost.told(number(), number())),
              number(),
              random.nextInt(3) == 0
                  ? ReportTime.came(number())
                  : new ReportTime(number(), number()),
              new ClockBound(number(), number(), number()),
              some(this::classReport)),
          new Settled(number(), number()),
          HolderCells.of(some(this::cell)));
    }

    private SteadyDemand steady() {
      boolean isPaused = random.nextInt(3) == 0;
      return new SteadyDemand(
          random.nextInt(3) == 0 ? 0 : random.nextDouble(1e6),
          isPaused ? 1 + random.nextDouble(1e6) : 0,
          isPaused ? number() : 0);
    }

    private ClassReport classReport() {
      return new ClassReport(random.nextDouble(1e6), number(), random.nextDouble(1e6));
    }

    private LedgerCell cell() {
      CellUsage usage =
          CellUsage.of(number(), number())
              .withGranted(number())
              .withTaken(number())
              .withPutBack(number())
              .withGivenBack(number())
              .withThrottled(number())
              .withClosed(random.nextBoolean());
      LedgerShare share = random.nextBoolean() ? LedgerShare.NONE : share();
      return new LedgerCell(
          random.nextBoolean() ? usage.ofShare(number()) : usage,
          new Grant(number(), number()),
          new Booking(number(), number()),
          number(),
          random.nextBoolean() ? 0 : number(),
          share);
    }

    private Trust trust() {
      return random.nextBoolean()
          ? Trust.WHOLE
          : new Trust(number(), number(), random.nextInt(), number(), number());
    }

    private LedgerShare share() {
      ShareTerm term = new ShareTerm(number(), number(), number());
      return new LedgerShare(terms(), terms(), number(), number(), term);
    }

    private RateShare terms() {
      return new RateShare(1 + random.nextLong(99), random.nextLong(1_000), random.nextLong(9_999));
    }

    private <T> List<T> some(Supplier<T> one) {
      List<T> list = new ArrayList<>();
      for (int left = random.nextInt(4); left > 0; left--) {
        list.add(one.get());
      }
      return list;
    }

    private long number() {
      return switch (random.nextInt(4)) {
        case 0 -> EDGES[random.nextInt(EDGES.length)];
        case 1 -> NOW + random.nextLong(-SECOND, SECOND);
        case 2 -> random.nextLong(1_000);
        default -> random.nextLong() >> random.nextInt(64);
      };
    }
  }
}
