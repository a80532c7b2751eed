package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
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
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.rules.QuotaRules;
import io.quotaenforcer.rules.RuleExplainer;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.RecordCodec;
import io.quotaenforcer.schemas.mapping.RuleMapping;
import io.quotaenforcer.simulation.LoopSimulation;
import java.util.List;
import java.util.function.Function;

/**
 * A strict rule on its way through all that must know its algorithm: file, record, row, ledger and
 * allotment. It names no algorithm; given a rule file, it says what was admitted. Text goes in and
 * out, so that it can run beside classes that are not the test's.
 */
public final class RuleOnItsWay implements Function<String, String> {
  private static final int MAX_INSTANCES = 3;
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final long START = 1_700_000_000L * SECOND;

  @Override
  public String apply(String file) {
    Rule published = throughRecord(throughFile(file).withVersion(1, 1));
    return """
        limit: %s
        explained: %s
        in ten periods, of an instance whose ledger is a row: %d
        over, among instances on a bad network: %d
        """
        .formatted(
            published.limit(),
            RuleExplainer.of(published, MAX_INSTANCES).lines(),
            admittedOverRows(published),
            excess(published));
  }

  /** As it is read of a file, and of the file that is written of it. */
  private static Rule throughFile(String file) {
    Rule read = QuotaRules.parse(file).get(0);
    String written = RuleYaml.file(read.id().domain(), List.of(read));
    assertThat(QuotaRules.parse(written)).containsExactly(read);
    return read;
  }

  private static Rule throughRecord(Rule rule) {
    try (Codecs codecs = Codecs.withoutRegistry()) {
      RecordCodec<QuotaRule> codec = codecs.codec("rules", QuotaRule.TYPE);
      byte[] bytes = codec.encode(RuleMapping.toRecord(rule, 0));
      Rule read = RuleMapping.fromRecord(codec.decode(bytes));
      assertThat(read).isEqualTo(rule);
      return read;
    }
  }

  /** Permits of a key that is asked for far too often, where each report finds its ledger a row. */
  private static long admittedOverRows(Rule rule) {
    Request request = Request.of("user", "1");
    Ledger ledger = new Ledger(LedgerSettings.defaults(MAX_INSTANCES));
    AllotmentBook book = new AllotmentBook(BookSettings.defaults(), MAX_INSTANCES, 0);
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, MAX_INSTANCES), START);
    book.applyRules(RuleSet.of(List.of(rule)), START);
    byte[] row = KeyLedgerCodec.write(ledger.open(rule, rule.limit(), Tenure.first(0), START));
    long admitted = 0;
    long commit = 0;
    long end = START + 10 * rule.limit().periodNanos();
    for (long now = START; now < end; now += 5 * MILLI) {
      admitted += book.decide(request, now).admitted() ? 1 : 0;
      for (PartitionReport told : book.reports(now)) {
        UsageReport report = new UsageReport("instance", 1, now, 0, 0, told.quotas());
        for (QuotaUsage usage : report.quotas()) {
          KeyLedger kept = KeyLedgerCodec.read(row);
          LedgerOutcome outcome =
              ledger.apply(kept, rule, report, usage, Tenure.first(++commit), now);
          row = KeyLedgerCodec.write(outcome.ledger());
          assertThat(KeyLedgerCodec.read(row)).isEqualTo(outcome.ledger());
          book.applySnapshot(
              new QuotaSnapshot("instance", 1, 0, now, now, outcome.answer().stream().toList()),
              now);
        }
      }
    }
    return admitted;
  }

  private static long excess(Rule rule) {
    LoopSimulation simulation =
        new LoopSimulation(
            rule, MAX_INSTANCES, new LoopSimulation.Network(40 * MILLI, 0.1, 0.1), 1);
    for (int instance = 0; instance < MAX_INSTANCES; instance++) {
      simulation.load(instance, "1", rule.limit().permits(), 10 * SECOND);
    }
    simulation.crash(0, 4 * SECOND);
    simulation.crashEnforcer(6 * SECOND, SECOND, 0, 0);
    simulation.run(11 * SECOND);
    assertThat(simulation.admissions).hasSizeGreaterThan((int) rule.limit().permits());
    return simulation.worstExcess(rule.limit());
  }
}
