package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** A limit of 1000 in windows of ten seconds, and what is set aside of two of them. */
abstract class GrantingFixture {
  static final LedgerSettings SETTINGS =
      LedgerSettings.defaults(10).withValidity(new Validity(2 * SECOND, 0));
  static final long WINDOW = 10 * SECOND;
  static final long NEXT = NOW + WINDOW;
  static final Limit LIMIT = new FixedWindow(1_000, WINDOW);

  final Granting granting = new Granting(SETTINGS);
  final List<Holder> holders = new ArrayList<>();
  Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), LIMIT);

  WorkingLedger ledger(long now, long aside, long asideOfNext) {
    WorkingLedger ledger = HolderBuilder.ledger(LIMIT, now, holders);
    ledger.headroom(new Headroom(NOW, aside, 0, 0));
    ledger.headroom(new Headroom(NEXT, asideOfNext, 0, 0));
    return ledger;
  }

  Granting.Outcome grant(WorkingLedger ledger) {
    return granting.grant(ledger, 0, rule, 0);
  }

  static HolderBuilder asks(String id, double perSecond) {
    return new HolderBuilder(id, perSecond);
  }

  static long leased(WorkingLedger ledger, long window) {
    return ledger.holders().get(0).outstanding(LIMIT, window);
  }
}
