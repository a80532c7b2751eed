package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;
import java.util.OptionalLong;

/** What others keep of a key that nobody asks them for, asked back for who lacks permits. */
final class Recall {
  /** Between two of a key: within it what rests comes back, if its holders are there. */
  private static final long EVERY_NANOS = 500_000_000L;

  /** The same, where they do not seem to be: all instances would hear of it again and again. */
  private static final long SELDOM_NANOS = 5_000_000_000L;

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
    boolean isOver = isExhaustionOver(ledger);
    boolean isDue = lacks > Math.max(0, free) && (isOver || ledger.now >= ledger.exhaustedUntil);
    if (!isDue || !RestingShares.mayBeKept(ledger.limit, rule)) {
      return Optional.empty();
    }
    OptionalLong heard = lastHeardOfWhoKeeps(ledger, mine);
    if (heard.isEmpty()) {
      return Optional.empty();
    }
    boolean isInVain =
        !isOver
            && ledger.now - ledger.exhaustedUntil < SELDOM_NANOS
            && heard.getAsLong() < ledger.exhaustedUntil - EVERY_NANOS;
    ledger.exhaustedUntil = ledger.now + (isInVain ? SELDOM_NANOS : EVERY_NANOS);
    return Optional.of(new ExhaustedQuota(ledger.generation, ledger.now, 0, 0));
  }

  /** Whether permits that were used up have come back before their time: some were not spent. */
  private static boolean isExhaustionOver(WorkingLedger ledger) {
    return ledger.exhaustedUntil - ledger.now > SELDOM_NANOS
        && ledger.unused(ledger.now) + UnusedShares.of(ledger) > 0;
  }

  /** The newest report of another holder that has something at rest. */
  private static OptionalLong lastHeardOfWhoKeeps(WorkingLedger ledger, Holder mine) {
    return ledger.holders().stream()
        .filter(holder -> holder != mine)
        .filter(holder -> holder.generation() == ledger.generation)
        .filter(holder -> !holder.hasDemand() && holder.share().permits() > 0)
        .mapToLong(Holder::lastReportNanos)
        .max();
  }
}
