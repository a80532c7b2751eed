package io.quotaenforcer.bench.gateway.load;

import io.quotaenforcer.bench.gateway.load.Caller.Answer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Requests to a server for some time. */
public final class Load {
  private static final int DIGITS = 3;

  /** With answers that are still missing when the time is up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Caller caller;
  private final Users users;
  private final AtomicLong underWay = new AtomicLong();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final Histogram times = new ConcurrentHistogram(DIGITS);

  /**
   * The outcome.
   *
   * @param answered in time
   * @param failed with no answer, or a wrong one
   * @param times from when a request was due to its answer, in nanoseconds
   */
  public record Result(long answered, long refused, long failed, Histogram times) {}

  private Load(Caller caller, Users users) {
    this.caller = caller;
    this.users = users;
  }

  /** At the pace of the answers: each one is followed by another request. */
  public static Result closed(Caller caller, Users users, int concurrent, Duration time)
      throws InterruptedException {
    return new Load(caller, users).closed(concurrent, time);
  }

  /**
   * At times that are fixed before, whether or not those before were answered: what is late counts
   * from when it was due.
   */
  public static Result open(Caller caller, Users users, double perSecond, Duration time)
      throws InterruptedException {
    return new Load(caller, users).open(perSecond, time);
  }

  private Result closed(int concurrent, Duration time) throws InterruptedException {
    AtomicLong number = new AtomicLong();
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; i < concurrent; i++) {
      underWay.incrementAndGet();
      follow(number, end);
    }
    return await(end);
  }

  private void follow(AtomicLong number, long end) {
    caller.call(
        users.of(number.getAndIncrement()),
        answer -> {
          if (System.nanoTime() - end < 0) {
            count(answer);
            if (answer != Answer.FAILED) {
              follow(number, end);
              return;
            }
          }
          underWay.decrementAndGet();
        });
  }

  private Result open(double perSecond, Duration time) throws InterruptedException {
    double interval = 1e9 / perSecond;
    long start = System.nanoTime();
    long count = (long) (time.toNanos() / interval);
    for (long i = 0; i < count; i++) {
      long due = start + (long) (i * interval);
      pause(due);
      ask(users.of(i), due);
    }
    return await(start + time.toNanos());
  }

  private void ask(int user, long due) {
    underWay.incrementAndGet();
    caller.call(
        user,
        answer -> {
          count(answer);
          times.recordValue(System.nanoTime() - due);
          underWay.decrementAndGet();
        });
  }

  private void count(Answer answer) {
    answered.increment();
    switch (answer) {
      case ADMITTED -> {
        // All but the others.
      }
      case REFUSED -> refused.increment();
      case FAILED -> failed.increment();
    }
  }

  private Result await(long end) throws InterruptedException {
    long deadline = end + PATIENCE.toNanos();
    while (underWay.get() > 0 && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return new Result(answered.sum(), refused.sum(), failed.sum() + underWay.get(), times);
  }

  private static void pause(long until) throws InterruptedException {
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a load ran");
      }
    }
  }
}
