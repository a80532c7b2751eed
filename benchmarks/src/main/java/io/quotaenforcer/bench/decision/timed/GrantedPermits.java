package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.DetachedClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.allotment.Spreading;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.ledger.Validity;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A client that holds permits which the real ledger has granted, on a lease of an hour, and then
 * heard no more: nothing else runs while its decisions are timed.
 */
final class GrantedPermits {
  private static final int PARTITIONS = 16;

  private static final int MAX_INSTANCES = 10_000;

  private static final String INSTANCE = "posts-7c9f6d5b84-00001";
  private static final long EPOCH = 1;

  private final Clocks clocks = Clocks.system();
  private final DetachedClient detached;
  private final Ledger ledger;
  private final PartitionTime time;
  private long commit;

  private GrantedPermits(Spreading spreading) {
    detached = DetachedClient.create(clocks, MAX_INSTANCES, spreading);
    LedgerSettings plain = LedgerSettings.defaults(MAX_INSTANCES);
    LedgerSettings settings =
        new LedgerSettings(
            new Validity(Duration.ofHours(1).toNanos(), Duration.ofHours(1).toNanos()),
            plain.loops(),
            plain.maxInstances(),
            Duration.ofHours(1).toNanos(),
            plain.aheadNanos(),
            plain.maxClockSkewNanos());
    ledger = new Ledger(settings);
    time = new PartitionTime(settings, Optional.empty());
  }

  /**
   * A client that has asked for permits of every quota key of some requests.
   *
   * @param permits for each request; each gets them from each rule that matches it, as far as the
   *     rule allows
   */
  static AdmissionClient client(Collection<Rule> rules, List<Request> requests, long permits) {
    return client(rules, requests, permits, HashKeys.NONE);
  }

  /**
   * Like {@link #client(Collection, List, long)}.
   *
   * @param hashKeys that values are hashed by
   */
  static AdmissionClient client(
      Collection<Rule> rules, List<Request> requests, long permits, HashKeys hashKeys) {
    GrantedPermits granted = none();
    granted.detached.book().hashBy(hashKeys);
    granted.grant(rules, requests, permits);
    return granted.client();
  }

  /** A client that holds nothing yet. */
  static GrantedPermits none() {
    return new GrantedPermits(Spreading.NONE);
  }

  /** The same, once the client has noticed that {@code threads} threads race for the permits. */
  static GrantedPermits racedFor(Rule rule, Request request, long permits, int threads) {
    Spreading usual = Spreading.over(threads);
    Spreading noticed = new Spreading(usual.places(), 0, usual.least());
    GrantedPermits granted = new GrantedPermits(noticed);
    granted.grant(List.of(rule), List.of(request), permits);
    return granted;
  }

  AdmissionClient client() {
    return detached.client();
  }

  /** The client looks at what it holds; nobody hears what it reports. */
  void look() {
    detached.book().reports(now());
  }

  /** The client asks for permits once more, and gets them, as {@link #client} says. */
  void grant(Collection<Rule> rules, List<Request> requests, long permits) {
    AllotmentBook book = detached.book();
    RuleSet inForce = RuleSet.of(rules);
    long now = now();
    book.applyPrefix(new PrefixInfo(PARTITIONS, QuotaKey.HASH_VERSION, MAX_INSTANCES), now);
    book.applyRules(inForce, now);
    List<WaitingRequest> waiting = new ArrayList<>();
    for (Request request : requests) {
      WaitingRequest wait = new WaitingRequest(request.withCost(permits), now);
      if (!book.decideOrWait(wait, now).admitted()) {
        waiting.add(wait);
      }
    }
    List<PartitionReport> reports = book.reports(now);
    // They wait no longer, before anything is granted that they would take.
    waiting.forEach(wait -> book.giveUp(wait, now));
    for (PartitionReport report : reports) {
      book.applySnapshot(answer(inForce, report, now), now());
    }
  }

  private QuotaSnapshot answer(RuleSet rules, PartitionReport part, long sentNanos) {
    UsageReport report =
        new UsageReport(INSTANCE, EPOCH, sentNanos, part.loopNanos(), 0, part.quotas());
    long enforcerNanos = clocks.epochNanos().getAsLong();
    List<QuotaAnswer> answers = new ArrayList<>(part.quotas().size());
    for (QuotaUsage usage : part.quotas()) {
      Rule rule = rules.rule(usage.quotaKey().rule()).orElseThrow();
      apply(rule, report, usage, enforcerNanos).answer().ifPresent(answers::add);
    }
    return new QuotaSnapshot(INSTANCE, EPOCH, part.partition(), sentNanos, enforcerNanos, answers);
  }

  private LedgerOutcome apply(Rule rule, UsageReport report, QuotaUsage usage, long now) {
    KeyLedger none = ledger.open(rule, rule.limitOf(usage.quotaKey()), tenure(now), now);
    LedgerOutcome outcome = ledger.apply(none, rule, report, usage, tenure(now), now);
    if (!outcome.mayGetMore()) {
      return outcome;
    }
    commit++;
    return ledger.apply(outcome.ledger(), rule, report, usage, tenure(now), now);
  }

  private Tenure tenure(long now) {
    time.now(now);
    time.toKeep(commit);
    return time.tenure(commit);
  }

  private long now() {
    return clocks.monotonicNanos().getAsLong();
  }
}
