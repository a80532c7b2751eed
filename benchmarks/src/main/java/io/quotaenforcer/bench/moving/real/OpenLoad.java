package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.client.AdmissionClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The requests of one instance, each asked when it is due, whether or not the one before is
 * decided.
 *
 * @param asks in order of time
 * @param longest that each request waits; zero for not at all
 * @param offsetNanos time since the epoch, minus that of this process's monotonic clock
 * @param lateNanos how much later than due they were asked
 */
record OpenLoad(
    AdmissionClient client,
    List<Ask> asks,
    Duration longest,
    long offsetNanos,
    Histogram lateNanos) {

  /** Runs in this thread until all are decided. */
  List<Asked> run(long startNanos, long measuredFromNanos) throws InterruptedException {
    List<CompletableFuture<Asked>> all = new ArrayList<>(asks.size());
    for (Ask ask : asks) {
      await(startNanos + ask.dueNanos());
      long asked = System.nanoTime();
      all.add(decide(ask, asked));
      if (ask.dueNanos() >= measuredFromNanos) {
        lateNanos.recordValue(asked - startNanos - ask.dueNanos());
      }
    }
    return all.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<Asked> decide(Ask ask, long asked) {
    if (longest.isZero()) {
      return CompletableFuture.completedFuture(
          Asked.now(ask.of(), asked, client.decide(ask.request()), offsetNanos));
    }
    return client
        .decideAsync(ask.request(), longest)
        .thenApply(decision -> Asked.now(ask.of(), asked, decision, offsetNanos));
  }

  private static void await(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a load ran");
      }
    }
  }
}
