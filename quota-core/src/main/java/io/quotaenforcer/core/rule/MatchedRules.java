package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rules that a request is decided by where one process sees every request: those that match it,
 * and those that count what it may borrow. In the order in which they are asked: who lends is asked
 * last. Immutable.
 *
 * @param all each with the quota key of the request
 * @param borrowing of each, the index of what counts what it borrows; {@link #NONE} if it may not
 * @param pools of each, the index of the pool that it borrows of; {@link #NONE} if it may not
 */
public record MatchedRules(List<RuleSet.Match> all, List<Integer> borrowing, List<Integer> pools) {
  public static final int NONE = -1;

  private static final Comparator<RuleSet.Match> AS_ASKED =
      Comparator.comparing((RuleSet.Match match) -> match.rule().classes().lends())
          .thenComparing(match -> match.rule().id());

  public MatchedRules {
    all = List.copyOf(all);
    borrowing = List.copyOf(borrowing);
    pools = List.copyOf(pools);
  }

  /**
   * Orders the rules that match a request, with those by which they borrow.
   *
   * @param matches in order of rule
   */
  public static MatchedRules of(RuleSet rules, List<RuleSet.Match> matches) {
    List<RuleSet.Match> all = new ArrayList<>(matches);
    List<RuleSet.Borrowing> possible = new ArrayList<>();
    for (RuleSet.Match match : matches) {
      RuleSet.Borrowing borrowing = rules.borrowing(match.rule().id());
      if (borrowing != null && isMatched(borrowing, matches)) {
        all.add(new RuleSet.Match(borrowing.rule(), match.quotaKey().of(borrowing.rule().id())));
        possible.add(borrowing);
      }
    }
    if (possible.isEmpty()) {
      return alone(matches);
    }
    all.sort(AS_ASKED);
    List<Integer> by = new ArrayList<>();
    List<Integer> pools = new ArrayList<>();
    for (RuleSet.Match match : all) {
      RuleSet.Borrowing borrowing = rules.borrowing(match.rule().id());
      if (borrowing != null && possible.contains(borrowing)) {
        by.add(indexOf(match.quotaKey().of(borrowing.rule().id()), all));
        pools.add(indexOf(borrowing.pool(), all));
      } else {
        by.add(NONE);
        pools.add(NONE);
      }
    }
    return new MatchedRules(all, by, pools);
  }

  /** For rules that borrow nothing. */
  public static MatchedRules alone(List<RuleSet.Match> matches) {
    List<Integer> none = matches.stream().map(match -> NONE).toList();
    return new MatchedRules(matches, none, none);
  }

  public int size() {
    return all.size();
  }

  /** Whether it counts what another one borrows, and is asked for nothing else. */
  public boolean isBorrowed(int index) {
    return borrowing.contains(index);
  }

  private static boolean isMatched(RuleSet.Borrowing borrowing, List<RuleSet.Match> matches) {
    return matches.stream().anyMatch(match -> match.rule().id().equals(borrowing.pool()));
  }

  private static int indexOf(QuotaKey key, List<RuleSet.Match> matches) {
    for (int i = 0; i < matches.size(); i++) {
      if (matches.get(i).quotaKey().equals(key)) {
        return i;
      }
    }
    return NONE;
  }

  private static int indexOf(RuleId rule, List<RuleSet.Match> matches) {
    for (int i = 0; i < matches.size(); i++) {
      if (matches.get(i).rule().id().equals(rule)) {
        return i;
      }
    }
    return NONE;
  }
}
