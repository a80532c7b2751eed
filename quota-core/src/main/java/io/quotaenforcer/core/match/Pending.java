package io.quotaenforcer.core.match;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An item that is on its way to its place in the index.
 *
 * @param conditions that are not known to hold where it is
 * @param used anchors that it stands under already, of conditions that they do not say all of
 */
record Pending<T>(T item, List<Condition> conditions, Set<Anchor> used) {

  static <T> Pending<T> of(MatchIndex.Entry<T> entry) {
    return new Pending<>(entry.item(), entry.conditions(), Set.of());
  }

  /** The anchor of a condition that it does not stand under yet; null when there is none. */
  @Nullable Anchor anchor(Condition condition) {
    Anchor anchor = Anchor.of(condition);
    return anchor == null || used.contains(anchor) ? null : anchor;
  }

  /** Under the anchor of one of its conditions. */
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
