package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import java.util.List;
import java.util.Optional;

/**
 * The real ledger of one quota key of a strict rule, and the real books of instances that use it,
 * in simulated time: a report is answered at once, or by the next commit.
 */
final class OneKey {
  private static final long MILLI = 1_000_000L;
  private static final long START = 1_700_000_000_000L * MILLI;
  private static final int COMMIT_EVERY = 20;
  private static final int REPORT_EVERY = 5;
  private static final Request REQUEST = Request.of("user", "user-0000042");

  private final Rule rule;
  private final Ledger ledger;
  private final PartitionTime time;
  private final AllotmentBook[] books;
  private KeyLedger state;
  private long commit;
  private long millis;

  OneKey(Limit limit, int instances) {
    rule =
        Rule.of(new RuleId("bench", "per-user"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    LedgerSettings settings = LedgerSettings.defaults(instances);
    ledger = new Ledger(settings);
    time = new PartitionTime(settings, Optional.empty());
    state = ledger.open(rule, limit, tenure(), now());
    books = new AllotmentBook[instances];
    for (int i = 0; i < instances; i++) {
      books[i] = new AllotmentBook(BookSettings.defaults(), instances, 0);
      books[i].applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, instances), now());
      books[i].applyRules(RuleSet.of(List.of(rule)), now());
    }
  }

  /** The bytes of the ledger's row. */
  int rowBytes() {
    return KeyLedgerCodec.write(state).length;
  }

  /** One request of each instance, and time for it to be reported. */
  void useOnce() {
    for (AllotmentBook book : books) {
      await(book, REQUEST);
    }
    pass(100, 0);
  }

  /** Makes requests in each of some milliseconds, by the instances in turn. */
  void pass(int milliseconds, int requestsEach) {
    for (int i = 0; i < milliseconds; i++) {
      for (int j = 0; j < requestsEach; j++) {
        books[(int) ((millis * requestsEach + j) % books.length)].decide(REQUEST, now());
      }
      step();
    }
  }

  /** Lets an instance have permits that it does not use. */
  AllotmentBook holding(long permits) {
    AllotmentBook book = books[0];
    // The permits are there before it looks again.
    book.decideOrWait(new WaitingRequest(REQUEST.withCost(permits), now()), now());
    for (int i = 0; i < 2 * COMMIT_EVERY; i++) {
      step();
    }
    return book;
  }

  /** Whether an instance admits a request now. */
  boolean isAdmitted(AllotmentBook book) {
    return book.decide(REQUEST, now()).admitted();
  }

  private void await(AllotmentBook book, Request request) {
    WaitingRequest waiting = new WaitingRequest(request, now());
    while (!book.decideOrWait(waiting, now()).admitted()) {
      step();
    }
  }

  private void step() {
    millis++;
    if (millis % COMMIT_EVERY == 0) {
      commit++;
    }
    if (millis % REPORT_EVERY == 0) {
      for (int i = 0; i < books.length; i++) {
        for (PartitionReport due : books[i].reports(now())) {
          // As long as the ids of real instances: a host's name and a process's number.
          String name = "posts-7c9f6d5b84-%05d".formatted(i);
          UsageReport report = new UsageReport(name, 1, now(), due.loopNanos(), 0, due.quotas());
          due.quotas().forEach(usage -> apply(report, usage));
        }
      }
    }
  }

  private void apply(UsageReport report, QuotaUsage usage) {
    LedgerOutcome outcome = ledger.apply(state, rule, report, usage, tenure(), now());
    if (outcome.mayGetMore()) {
      commit++;
      outcome = ledger.apply(outcome.ledger(), rule, report, usage, tenure(), now());
    }
    state = outcome.ledger();
    int instance = Integer.parseInt(report.instance().substring(report.instance().length() - 5));
    outcome
        .answer()
        .ifPresent(
            answer ->
                books[instance].applySnapshot(
                    new QuotaSnapshot(
                        report.instance(), 1, 0, report.sentNanos(), now(), List.of(answer)),
                    now()));
  }

  private Tenure tenure() {
    time.now(now());
    time.toKeep(commit);
    return time.tenure(commit);
  }

  private long now() {
    return START + millis * MILLI;
  }
}
