package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;

/** What others keep of a key that nobody asks them for, asked back for who lacks permits. */
final class Recall {
  /** Between two of a key: within it what rests comes back, if its holders are there. */
  private static final long EVERY_NANOS = 500_000_000L;

  private Recall() {}

  /**
   * Asks all instances for what rests of a key, if the one that reports lacks permits. It is told
   * as an exhaustion that is over: who keeps nothing has nothing to do with it.
   */
  static Optional<ExhaustedQuota> of(WorkingLedger ledger, int index, Rule rule) {
    Holder mine = ledger.holders().get(index);
    long window = ledger.limit.cellWindow(ledger.now);
    long waited = mine.needed() - mine.outstanding(ledger.limit, window);
    long lacks = Math.max(waited, ledger.throttled() > 0 ? 1 : 0);
    long free = ledger.unused(ledger.now) - ledger.outstanding(window);
    boolean isDue = lacks > Math.max(0, free) && ledger.now >= ledger.exhaustedUntil;
    if (!isDue || !RestingShares.mayBeKept(ledger.limit, rule) || !isKeptFrom(ledger, mine)) {
      return Optional.empty();
    }
    ledger.exhaustedUntil = ledger.now + EVERY_NANOS;
    return Optional.of(new ExhaustedQuota(ledger.generation, ledger.now, 0, 0));
  }

  /** Whether another holder has something at rest. */
  private static boolean isKeptFrom(WorkingLedger ledger, Holder mine) {
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && !holder.hasDemand()
          && holder.share().permits() > 0) {
        return true;
      }
    }
    return false;
  }
}
