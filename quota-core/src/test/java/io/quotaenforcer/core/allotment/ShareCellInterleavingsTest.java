package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A rate share in every order of the steps of few calls: no more is taken than has come, and
 * nothing after it has ended.
 */
class ShareCellInterleavingsTest {
  @Test
  void share_anyOrderOfSteps_isNeverOverAndAddsUp() {
    Interleavings.check(Operations.class, 20);
  }

  /**
   * The operations of decisions and of the book's owner on a share, with an account kept beside it.
   */
  @Param(name = "permits", gen = IntGen.class, conf = "1:2")
  public static class Operations {
    private static final long SECOND = 1_000_000_000L;
    private static final long PERMITS_PER_SECOND = 1_000;
    private static final long PERMIT_NANOS = SECOND / PERMITS_PER_SECOND;
    private static final long BURST_MILLIS = 4_000;

    private final ShareCell share =
        new ShareCell(
            1,
            new RateShare(1, PERMITS_PER_SECOND, BURST_MILLIS),
            new TokenBucket(PERMITS_PER_SECOND, SECOND, 100),
            0,
            Long.MAX_VALUE);
    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong takenEver = new AtomicLong();
    private final AtomicLong held = new AtomicLong();
    private long number = 1;
    private long takenWhenEnded = -1;
    private volatile boolean over;

    /** Time in which three permits come, and a decision with that reading of the clock. */
    @Operation
    public boolean tryTake(@Param(name = "permits") int permits) {
      long now = clock.addAndGet(3 * PERMIT_NANOS);
      return share.tryTake(permits, now) && take(permits);
    }

    /** A decision that read the clock together with the one before. */
    @Operation
    public boolean tryTakeAtOnce(@Param(name = "permits") int permits) {
      return share.tryTake(permits, clock.get()) && take(permits);
    }

    @Operation(nonParallelGroup = "owner")
    public void follow(@Param(name = "permits") int half) {
      number++;
      share.follow(
          new RateShare(number, PERMITS_PER_SECOND / half, BURST_MILLIS / half),
          Long.MAX_VALUE,
          0,
          clock.get());
    }

    @Operation(nonParallelGroup = "owner")
    public void seal() {
      share.seal(clock.get());
      takenWhenEnded = share.usage(Long.MAX_VALUE).taken();
    }

    @Validate
    public void validate() {
      CellUsage usage = share.usage(Long.MIN_VALUE);
      String all = usage + " held=" + held + " takenEver=" + takenEver + " clock=" + clock;
      if (over) {
        throw new IllegalStateException("more than has come: " + all);
      }
      if (usage.taken() - usage.givenBack() != takenEver.get() || usage.used() != held.get()) {
        throw new IllegalStateException("does not add up: " + all);
      }
      if (takenWhenEnded >= 0 && takenWhenEnded != usage.taken()) {
        throw new IllegalStateException("taken after it had ended: " + all);
      }
    }

    private boolean take(long permits) {
      takenEver.addAndGet(permits);
      // Read after what is held: it can only be later than the readings by which that was taken.
      if (held.addAndGet(permits) > clock.get() / PERMIT_NANOS) {
        over = true;
      }
      return true;
    }
  }
}
