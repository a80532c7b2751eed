package io.quotaenforcer.bench.central;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** How a thread asks for decisions, and what it takes the time of. */
sealed interface Pace {
  /** Asks for one user after another until the time is up. */
  void run(Users users, long endNanos, Tally tally) throws InterruptedException;

  /** In words. */
  String timing();

  /** Decisions in what is timed. */
  default int decisionsTimed() {
    return 1;
  }

  /**
   * One after the other, each timed.
   *
   * @param admits decides for a user
   */
  record OneByOne(IntPredicate admits) implements Pace {
    @Override
    public void run(Users users, long endNanos, Tally tally) {
      long done = 0;
      long admitted = 0;
      long now;
      do {
        int user = users.next();
        long started = System.nanoTime();
        if (admits.test(user)) {
          admitted++;
        }
        now = System.nanoTime();
        tally.timed(now - started);
        done++;
      } while (now < endNanos);
      tally.decided(done, admitted);
    }

    @Override
    public String timing() {
      return "each";
    }
  }

  /**
   * One after the other, timed in batches: for decisions that are shorter than reading the clock.
   *
   * @param admits decides for a user
   */
  record InBatches(IntPredicate admits) implements Pace {
    private static final int BATCH = 100;

    @Override
    public void run(Users users, long endNanos, Tally tally) {
      long done = 0;
      long admitted = 0;
      long started = System.nanoTime();
      while (started < endNanos) {
        for (int i = 0; i < BATCH; i++) {
          if (admits.test(users.next())) {
            admitted++;
          }
        }
        long now = System.nanoTime();
        tally.timed(now - started);
        started = now;
        done += BATCH;
      }
      tally.decided(done, admitted);
    }

    @Override
    public String timing() {
      return "batches of " + BATCH;
    }

    @Override
    public int decisionsTimed() {
      return BATCH;
    }
  }

  /**
   * Many at once, each timed from its question to its answer.
   *
   * @param ask decides for a user, later
   */
  record Pipelined(IntFunction<CompletionStage<Boolean>> ask) implements Pace {
    /** Of one thread. */
    static final int DEPTH = 64;

    @Override
    public void run(Users users, long endNanos, Tally tally) throws InterruptedException {
      Semaphore free = new Semaphore(DEPTH);
      AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
      while (System.nanoTime() < endNanos && failed.get() == null) {
        free.acquire();
        long started = System.nanoTime();
        var unused =
            ask.apply(users.next())
                .whenComplete(
                    (admitted, failure) -> {
                      if (failure == null) {
                        tally.timed(System.nanoTime() - started);
                        tally.decided(1, admitted ? 1 : 0);
                      } else {
                        failed.set(failure);
                      }
                      free.release();
                    });
      }
      free.acquire(DEPTH);
      if (failed.get() != null) {
        throw new IllegalStateException("no answer", failed.get());
      }
    }

    @Override
    public String timing() {
      return "each of " + DEPTH + " at once";
    }
  }
}
