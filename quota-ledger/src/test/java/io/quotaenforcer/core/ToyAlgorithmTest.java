package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.HalvesToy;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ledger and allotment book serve an algorithm that neither of them has heard of. */
class ToyAlgorithmTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long START = 1_700_000_000L * SECOND;
  private static final int SECONDS = 6;

  private static final HalvesToy LIMIT = new HalvesToy(20, SECOND);
  private static final RuleId ID = new RuleId("test", "toy");
  private static final Request REQUEST = Request.of("user", "42");

  private final Rule rule =
      Rule.of(ID, List.of("user"), LIMIT).withEnforcement(Enforcement.STRICT).withVersion(1, 1);
  private final Ledger ledger = new Ledger(LedgerSettings.defaults(2));
  private final List<AllotmentBook> books = List.of(book(), book());
  private long now = START;
  private KeyLedger kept = ledger.open(rule, LIMIT, Tenure.first(0), START);
  private long commit;

  @Test
  void limit_ofAToyAlgorithm_isUsedUpByTwoInstances_andNeverExceeded() {
    LimitState central = LIMIT.initial(START);
    long admitted = 0;
    while (now < START + SECONDS * SECOND) {
      now += 5 * MILLI;
      commit++;
      for (int i = 0; i < books.size(); i++) {
        if (books.get(i).decide(REQUEST, now).admitted()) {
          admitted++;
          central = LIMIT.book(central, 1, now);
          assertThat(LIMIT.available(central, now)).as("at %d ms", millis()).isNotNegative();
        }
        report(i);
      }
    }
    // A permit counts for half a period at least: no more than twice the limit comes in one.
    assertThat(admitted).isBetween(LIMIT.permits() * (SECONDS - 1), 2 * LIMIT.permits() * SECONDS);
  }

  private void report(int instance) {
    AllotmentBook book = books.get(instance);
    for (PartitionReport part : book.reports(now)) {
      UsageReport report =
          new UsageReport("instance-" + instance, 1, now, part.loopNanos(), 0, part.quotas());
      for (QuotaUsage usage : report.quotas()) {
        LedgerOutcome outcome = ledger.apply(kept, rule, report, usage, Tenure.first(commit), now);
        kept = outcome.ledger();
        outcome
            .answer()
            .ifPresent(
                answer ->
                    book.applySnapshot(
                        new QuotaSnapshot("", 1, part.partition(), now, now, List.of(answer)),
                        now));
      }
    }
  }

  private static AllotmentBook book() {
    AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 2, 0);
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 2), START);
    Rule rule =
        Rule.of(ID, List.of("user"), LIMIT).withEnforcement(Enforcement.STRICT).withVersion(1, 1);
    book.applyRules(RuleSet.of(List.of(rule)), START);
    return book;
  }

  private long millis() {
    return (now - START) / MILLI;
  }
}
