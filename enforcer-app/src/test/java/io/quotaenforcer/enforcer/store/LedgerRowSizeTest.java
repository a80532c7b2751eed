package io.quotaenforcer.enforcer.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.InvalidReportException;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.topic.Topics;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row of a ledger fits into a record, whatever is reported. */
class LedgerRowSizeTest {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final long LARGE = 900_000_000_000_000L;
  private static final int MOST_INSTANCES = 20_000;

  /** Limit of a changelog that an older enforcer created: the broker's default. */
  private static final int BROKERS_MESSAGE_MAX_BYTES = 1_048_588;

  private final Ledger ledger = new Ledger(LedgerSettings.defaults(100));
  private final Rule rule =
      Rule.of(new RuleId("shop", "orders"), List.of("user"), new SlidingWindow(10, 1_000_000_000L))
          .withVersion(1, 1);
  private final QuotaKey key =
      QuotaKey.of(rule.id(), List.of("€".repeat(QuotaKey.MAX_VALUE_CHARS)));

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100})
  void row_instancesReportTheMostThatTheyMay_isRefusedBeforeItIsTooLarge(int cells) {
    KeyLedger largest = ledger.open(rule, rule.limit(), Tenure.first(1), NOW);
    int instances = 0;
    try {
      for (; instances < MOST_INSTANCES; instances++) {
        largest = apply(largest, instances, cells);
      }
    } catch (InvalidReportException e) {
      assertThat(e).hasMessageContaining("fewer instances");
    }

    assertThat(instances).isBetween(50, MOST_INSTANCES - 1);
    assertThat(KeyLedgerCodec.write(largest)).hasSizeLessThan(BROKERS_MESSAGE_MAX_BYTES * 9 / 10);
  }

  @Test
  void row_twoThousandOrdinaryInstances_isWritten() {
    KeyLedger used = ledger.open(rule, rule.limit(), Tenure.first(1), NOW);
    for (int i = 0; i < 2_000; i++) {
      UsageReport report = report("orders-7d4b9c6f5-" + i, i, 1);
      used =
          ledger.apply(used, rule, report, report.quotas().get(0), Tenure.first(1), NOW).ledger();
    }

    assertThat(used.holders()).hasSize(2_000);
  }

  @Test
  void changelog_thatIsMadeNow_takesWhatABrokerMayNotTakeOtherwise() {
    assertThat(Stores.ledger().logConfig())
        .containsEntry("max.message.bytes", Integer.toString(Topics.MAX_RECORD_BYTES));
  }

  private KeyLedger apply(KeyLedger before, int number, int cells) {
    String instance = "€".repeat(HolderId.Instance.MAX_CHARS - 6) + number;
    UsageReport report = report(instance, number, cells);
    return ledger
        .apply(before, rule, report, report.quotas().get(0), Tenure.first(1), NOW)
        .ledger();
  }

  private UsageReport report(String instance, int number, int cells) {
    List<CellUsage> open =
        IntStream.rangeClosed(1, cells)
            .mapToObj(
                i ->
                    CellUsage.of(-i, LARGE + i)
                        .withTaken(LARGE + i)
                        .withPutBack(i)
                        .withGivenBack(LARGE / 2 + i)
                        .withThrottled(LARGE - i))
            .toList();
    QuotaUsage usage = new QuotaUsage(key, 1, 1e9 + 0.1, LARGE, open);
    return new UsageReport(
        instance, Long.MIN_VALUE + number, Long.MIN_VALUE, LARGE, 0, List.of(usage));
  }
}
