package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook.Refusal;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Charges every rule that matches a request, or none. Safe for use by any thread. */
final class Charging {
  private static final Decision UNMATCHED = new Decision.Unmatched();

  private final AllotmentBook book;

  Charging(AllotmentBook book) {
    this.book = book;
  }

  /** What one rule gave; nothing when there is no cell. */
  record Taken(KeyAllotment allotment, @Nullable Cell cell) {}

  /** Decides a request by the rules that match it and whose quota key is not paid already. */
  Decision decide(Request request, Collection<QuotaKey> paid, long now, Refusal refusal) {
    List<RuleSet.Match> matches = unpaid(request, paid);
    return decide(matches, new Taken[matches.size()], request.cost(), now, refusal);
  }

  /** Decides a request whose cost is an estimate. */
  Charge charge(Request request, long now) {
    List<RuleSet.Match> matches = unpaid(request, Set.of());
    Taken[] taken = new Taken[matches.size()];
    Decision decision = decide(matches, taken, request.cost(), now, Refusal.COUNT);
    return decision instanceof Decision.Admitted
        ? new Charge(
            decision,
            request.cost(),
            (actual, at) -> settle(taken, request.cost(), actual, now, at))
        : Charge.nothing(decision);
  }

  List<RuleSet.Match> unpaid(Request request, Collection<QuotaKey> paid) {
    List<RuleSet.Match> matches = book.rules().match(request);
    if (!paid.isEmpty()) {
      matches.removeIf(match -> paid.contains(match.quotaKey()));
    }
    return matches;
  }

  private Decision decide(
      List<RuleSet.Match> matches, Taken[] taken, long cost, long now, Refusal refusal) {
    if (matches.isEmpty()) {
      return UNMATCHED;
    }
    for (int i = 0; i < taken.length; i++) {
      RuleSet.Match match = matches.get(i);
      // A shadow rule holds nobody up, so nothing waits for it either.
      Refusal refused = match.rule().mode() == Mode.SHADOW ? Refusal.COUNT : refusal;
      Taken take = book.take(match.rule(), match.quotaKey(), cost, now, refused);
      if (take.cell == null && match.rule().mode() == Mode.ENFORCE) {
        putBack(taken, i, cost, now);
        return new Decision.Throttled(
            take.allotment.describe(null, cost, now),
            match.rule().overLimit().defers() && !take.allotment.isDenied());
      }
      taken[i] = take;
    }
    return admitted(taken, cost, now);
  }

  private static void putBack(Taken[] taken, int count, long permits, long now) {
    for (int i = 0; i < count; i++) {
      Cell cell = taken[i].cell;
      if (cell != null) {
        taken[i].allotment.putBack(cell, permits, now);
      }
    }
  }

  private static Decision admitted(Taken[] taken, long permits, long now) {
    RuleDecision first = taken[0].allotment.describe(taken[0].cell, permits, now);
    if (taken.length == 1) {
      return new Decision.Admitted(first, List.of(first));
    }
    List<RuleDecision> all = new ArrayList<>(taken.length);
    all.add(first);
    for (int i = 1; i < taken.length; i++) {
      all.add(taken[i].allotment.describe(taken[i].cell, permits, now));
    }
    return Decision.Admitted.by(all);
  }

  private void settle(Taken[] taken, long charged, long actual, long takenNanos, long now) {
    for (Taken each : taken) {
      Cell cell = each.cell;
      if (cell == null) {
        continue;
      }
      if (actual < charged) {
        each.allotment.refund(cell, charged - actual, takenNanos, now);
        book.wake(each.allotment);
      } else if (actual > charged) {
        book.owe(each.allotment, actual - charged, now);
      }
    }
  }
}
