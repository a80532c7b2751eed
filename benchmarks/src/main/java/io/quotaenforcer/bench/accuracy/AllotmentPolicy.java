package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.LoopSetting;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The real ledger and allotment books. The enforcer commits at each publish tick, and answers then.
 */
final class AllotmentPolicy implements Policy {
  private static final Request REQUEST = Request.of("user", "42");

  private final Fleet fleet;
  private final Rule rule;
  private final Ledger ledger;
  private final AllotmentBook[] books;
  private final List<Input> unanswered = new ArrayList<>();
  private KeyLedger key;
  private long commit;
  private long loops;
  private long loopNanos;

  private record Applied(QuotaSnapshot snapshot, boolean mayGetMore) {}

  private record Input(int instance, UsageReport report, Applied first) {}

  AllotmentPolicy(Fleet fleet, Enforcement enforcement) {
    this.fleet = fleet;
    int instances = fleet.instances();
    rule =
        Rule.of(new RuleId("bench", "rule"), List.of("user"), fleet.limit())
            .withEnforcement(enforcement)
            .withVersion(1, 1);
    ledger = new Ledger(LedgerSettings.defaults(instances));
    long now = fleet.time().now();
    key = ledger.open(rule, fleet.limit(), Tenure.first(commit), now);
    books = new AllotmentBook[instances];
    BookSettings settings = settings(fleet.loop());
    for (int i = 0; i < instances; i++) {
      books[i] = new AllotmentBook(settings, instances, 0);
      books[i].applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, instances), now);
      books[i].applyRules(RuleSet.of(List.of(rule)), now);
    }
    fleet.eachPublish(this::publish);
    fleet.eachEvery(settings.urgentIntervalNanos(), this::tick);
  }

  @Override
  public long decide(int instance, long now) {
    Decision decision = books[instance].decide(REQUEST, now);
    return decision.admitted()
        ? decision.rule().map(RuleDecision::windowStartNanos).orElse(0L)
        : NOT_ADMITTED;
  }

  @Override
  public double loopMillis() {
    return loops == 0 ? 0 : loopNanos / 1e6 / loops;
  }

  private static BookSettings settings(LoopSetting loop) {
    BookSettings usual = BookSettings.defaults();
    return usual.with(
        new BookSettings.Reporting(
            loop.reportNanos(), usual.urgentIntervalNanos(), usual.awayAfterNanos()));
  }

  private void tick(int instance) {
    long now = fleet.time().now();
    for (PartitionReport part : books[instance].reports(now)) {
      UsageReport report =
          new UsageReport("instance-" + instance, 1, now, part.loopNanos(), 0, part.quotas());
      fleet.send(() -> process(instance, report));
    }
  }

  private void process(int instance, UsageReport report) {
    unanswered.add(new Input(instance, report, apply(report)));
  }

  /** Commits what was read, grants what waited for that, and answers. */
  private void publish() {
    commit++;
    for (Input input : unanswered) {
      QuotaSnapshot snapshot =
          input.first.mayGetMore ? apply(input.report).snapshot : input.first.snapshot;
      fleet.send(() -> receive(input.instance, snapshot));
    }
    unanswered.clear();
  }

  private Applied apply(UsageReport report) {
    long now = fleet.time().now();
    List<QuotaAnswer> answers = new ArrayList<>(1);
    boolean mayGetMore = false;
    for (QuotaUsage usage : report.quotas()) {
      LedgerOutcome outcome = ledger.apply(key, rule, report, usage, Tenure.first(commit), now);
      key = outcome.ledger();
      outcome.answer().ifPresent(answers::add);
      mayGetMore |= outcome.mayGetMore();
    }
    return new Applied(
        new QuotaSnapshot(report.instance(), report.epoch(), 0, report.sentNanos(), now, answers),
        mayGetMore);
  }

  private void receive(int instance, QuotaSnapshot snapshot) {
    long now = fleet.time().now();
    loops++;
    loopNanos += now - snapshot.echoSentNanos();
    books[instance].applySnapshot(snapshot, now);
  }
}
