package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Real allotment books and a real ledger under a simulated network: 10 ms one way (log-normal,
 * sigma 0.5), a commit every 20 ms.
 */
final class SimulatedFleet implements Policy, SimulatedEnforcer.Outlet {
  static final int ONE_WAY_MILLIS = 10;
  static final int COMMIT_MILLIS = 20;

  private static final long MILLI = 1_000_000L;
  private static final double SIGMA = 0.5;
  private static final int PARTITIONS = 4;

  private final Timeline time;
  private final long waitNanos;
  private final SplittableRandom random;
  private final SimulatedEnforcer enforcer;
  private final BookSettings settings = BookSettings.defaults();
  private final AllotmentBook[] books;
  private final PendingDecisions[] pending;
  private final int[] waiting;
  private final List<Request> requests;
  private long loops;
  private long loopNanos;

  /**
   * @param requests of each user by number
   * @param waitNanos how long callers wait at most; 0 for those that do not
   */
  SimulatedFleet(
      RuleSet rules,
      List<Request> requests,
      int instances,
      long waitNanos,
      Timeline time,
      SplittableRandom random) {
    this.time = time;
    this.requests = List.copyOf(requests);
    this.waitNanos = waitNanos;
    this.random = random;
    enforcer = new SimulatedEnforcer(rules, instances, this);
    books = new AllotmentBook[instances];
    pending = new PendingDecisions[instances];
    HandOver handOver = new HandOver("simulated");
    waiting = new int[instances];
    for (int i = 0; i < instances; i++) {
      int instance = i;
      books[i] = new AllotmentBook(settings, instances, 0);
      books[i].applyPrefix(
          new PrefixInfo(PARTITIONS, QuotaKey.HASH_VERSION, instances), time.now());
      books[i].applyRules(rules, time.now());
      pending[i] =
          new PendingDecisions(
              books[i], time::now, handOver, PendingDecisions.Limits.NONE, () -> false);
      long interval = settings.urgentIntervalNanos();
      every(time.now() + random.nextLong(interval), interval, () -> tick(instance));
    }
    every(
        time.now() + COMMIT_MILLIS * MILLI,
        COMMIT_MILLIS * MILLI,
        () -> enforcer.commit(time.now()));
  }

  @Override
  public void ask(int user, int instance, Answer answer) {
    if (waitNanos == 0) {
      answer(books[instance].decide(requests.get(user), time.now()), answer);
      return;
    }
    waiting[instance]++;
    pending[instance]
        .decide(requests.get(user), waitNanos, HandOver.AT_ONCE, time.now())
        .thenAccept(
            decision -> {
              waiting[instance]--;
              answer(decision, answer);
            });
  }

  @Override
  public double loopNanos() {
    return loops == 0 ? 0 : (double) loopNanos / loops;
  }

  @Override
  public void answer(QuotaSnapshot snapshot) {
    int instance = Integer.parseInt(snapshot.instance());
    send(
        () -> {
          long now = time.now();
          loops++;
          loopNanos += now - snapshot.echoSentNanos();
          books[instance].applySnapshot(snapshot, now);
          if (waiting[instance] > 0) {
            pending[instance].answered(snapshot, now);
          }
        });
  }

  @Override
  public void exhausted(QuotaKey key, ExhaustedQuota quota) {
    for (AllotmentBook book : books) {
      send(() -> book.applyExhausted(key, quota, time.now()));
    }
  }

  private static void answer(Decision decision, Answer answer) {
    boolean admitted = decision.admitted();
    answer.decided(
        admitted, admitted ? decision.rule().map(RuleDecision::windowStartNanos).orElse(0L) : 0);
  }

  private void tick(int instance) {
    long now = time.now();
    if (waiting[instance] > 0) {
      pending[instance].expire(now);
    }
    for (PartitionReport part : books[instance].reports(now)) {
      UsageReport report =
          new UsageReport(
              Integer.toString(instance), instance, now, part.loopNanos(), 0, part.quotas());
      send(() -> enforcer.receive(report, part.partition(), time.now()));
    }
  }

  private void every(long at, long nanos, Runnable step) {
    time.at(
        at,
        () -> {
          step.run();
          every(at + nanos, nanos, step);
        });
  }

  private void send(Runnable handle) {
    double delay = ONE_WAY_MILLIS * MILLI * Math.exp(SIGMA * random.nextGaussian());
    time.at(time.now() + (long) delay, handle);
  }
}
