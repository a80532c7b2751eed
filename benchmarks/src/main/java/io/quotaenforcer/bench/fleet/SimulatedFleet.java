package io.quotaenforcer.bench.fleet;

import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

/**
 * Real allotment books and a real ledger under a simulated network: 10 ms one way (log-normal,
 * sigma 0.5), a commit every 20 ms.
 */
public final class SimulatedFleet implements SimulatedEnforcer.Outlet {
  private static final long MILLI = 1_000_000L;
  private static final long ONE_WAY = 10 * MILLI;
  private static final double SIGMA = 0.5;
  private static final long COMMIT = 20 * MILLI;

  /** The length of real instances' ids: a host's name and a process's number. */
  private static final String NAME = "posts-7c9f6d5b84-%05d";

  private static final int NUMBER_DIGITS = 5;
  private static final long FIRST_EPOCH = 0x5eed_0000_0000_0000L;

  private final int partitions;
  private final Timeline time;
  private final Stalls ofEnforcer;
  private final List<Stalls> ofInstances;
  private final SplittableRandom random;
  private final SimulatedEnforcer enforcer;
  private final AllotmentBook[] books;
  private final PendingDecisions[] pending;
  private final int[] waiting;
  private long loops;
  private long loopNanos;

  /** A fleet that begins to report at once. */
  public SimulatedFleet(
      RuleSet rules,
      int instances,
      int partitions,
      Ledgers ledgers,
      Timeline time,
      SplittableRandom random) {
    this(
        rules,
        partitions,
        ledgers,
        time,
        Stalls.NONE,
        Collections.nCopies(instances, Stalls.NONE),
        random);
  }

  /**
   * A fleet whose processes stall; requests are to be decided at {@link Stalls#doneAt}.
   *
   * @param ofInstances those of each instance
   */
  public SimulatedFleet(
      RuleSet rules,
      int partitions,
      Ledgers ledgers,
      Timeline time,
      Stalls ofEnforcer,
      List<Stalls> ofInstances,
      SplittableRandom random) {
    int instances = ofInstances.size();
    this.ofEnforcer = ofEnforcer;
    this.ofInstances = List.copyOf(ofInstances);
    this.partitions = partitions;
    this.time = time;
    this.random = random;
    enforcer = new SimulatedEnforcer(rules, instances, ledgers, this);
    books = new AllotmentBook[instances];
    pending = new PendingDecisions[instances];
    waiting = new int[instances];
    BookSettings settings = BookSettings.defaults();
    HandOver handOver = new HandOver("simulated");
    PrefixInfo prefix = new PrefixInfo(partitions, QuotaKey.HASH_VERSION, instances);
    for (int i = 0; i < instances; i++) {
      int instance = i;
      books[i] = new AllotmentBook(settings, instances, 0);
      books[i].applyPrefix(prefix, time.now());
      books[i].applyRules(rules, time.now());
      pending[i] =
          new PendingDecisions(
              books[i], time::now, handOver, PendingDecisions.Limits.NONE, () -> false);
      long interval = settings.urgentIntervalNanos();
      every(
          time.now() + random.nextLong(interval),
          interval,
          ofInstances.get(i),
          () -> tick(instance));
    }
    every(time.now() + COMMIT, COMMIT, ofEnforcer, () -> enforcer.commit(time.now()));
  }

  /** An instance decides now. */
  public Decision decide(int instance, Request request) {
    return books[instance].decide(request, time.now());
  }

  /** An instance decides now, or within the wait when it has heard of the enforcer. */
  public CompletionStage<Decision> decide(int instance, Request request, long waitNanos) {
    waiting[instance]++;
    return pending[instance]
        .decide(request, waitNanos, HandOver.AT_ONCE, time.now())
        .whenComplete((decision, failure) -> waiting[instance]--);
  }

  /** Like {@link #decide(int, Request, long)}; what an admitted request took is settled later. */
  public CompletionStage<Charge> reserve(int instance, Request request, long waitNanos) {
    waiting[instance]++;
    return pending[instance]
        .charge(
            new WaitingRequest(request, time.now()),
            new PendingDecisions.Wait(waitNanos, HandOver.AT_ONCE),
            charge -> charge,
            time.now())
        .whenComplete((charge, failure) -> waiting[instance]--);
  }

  /** An instance decides now; an admitted request holds its slots until they are settled. */
  public Charge enter(int instance, Request request) {
    return books[instance].charge(request, time.now());
  }

  /** Mean time from a report to its answer; 0 before there is one. */
  public double loopNanos() {
    return loops == 0 ? 0 : (double) loopNanos / loops;
  }

  @Override
  public void answer(QuotaSnapshot snapshot) {
    String name = snapshot.instance();
    int instance = Integer.parseInt(name.substring(name.length() - NUMBER_DIGITS));
    send(
        ofInstances.get(instance),
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
    for (int i = 0; i < books.length; i++) {
      AllotmentBook book = books[i];
      send(ofInstances.get(i), () -> book.applyExhausted(key, quota, time.now()));
    }
  }

  private void tick(int instance) {
    long now = time.now();
    if (waiting[instance] > 0) {
      pending[instance].expire(now);
    }
    books[instance].rulesHeard(now);
    for (PartitionReport part : books[instance].reports(now)) {
      UsageReport report =
          new UsageReport(
              NAME.formatted(instance),
              FIRST_EPOCH + instance,
              now,
              part.loopNanos(),
              instance % partitions,
              part.quotas());
      send(ofEnforcer, () -> enforcer.receive(report, part.partition(), time.now()));
    }
  }

  private void every(long at, long nanos, Stalls of, Runnable step) {
    time.at(
        of.doneAt(at),
        () -> {
          step.run();
          every(Math.max(at + nanos, time.now()), nanos, of, step);
        });
  }

  private void send(Stalls ofReceiver, Runnable handle) {
    double delay = ONE_WAY * Math.exp(SIGMA * random.nextGaussian());
    time.at(ofReceiver.doneAt(time.now() + (long) delay), handle);
  }
}
