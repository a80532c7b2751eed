package io.quotaenforcer.core.match;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An item on its way to its place in the index.
 *
 * @param conditions that its place so far does not guarantee
 * @param used anchors on its path whose conditions they do not fully decide
 */
record Pending<T>(T item, List<Condition> conditions, Set<Anchor> used) {

  static <T> Pending<T> of(MatchIndex.Entry<T> entry) {
    return new Pending<>(entry.item(), entry.conditions(), Set.of());
  }

  /** The condition's anchor unless it is used already; null if there is none. */
  @Nullable Anchor anchor(Condition condition) {
    Anchor anchor = Anchor.of(condition);
    return anchor == null || used.contains(anchor) ? null : anchor;
  }

  /** The item moved under the anchor of one of its conditions. */
  Pending<T> under(Condition condition, Anchor anchor) {
    if (Anchor.says(condition)) {
      List<Condition> others = new ArrayList<>(conditions);
      others.remove(condition);
      return new Pending<>(item, others, used);
    }
    Set<Anchor> more = new HashSet<>(used);
    more.add(anchor);
    return new Pending<>(item, conditions, more);
  }
}
