package io.quotaenforcer.core.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Divides items among the nodes of an index. */
final class MatchBuild<T> {
  /** At most this many items are tried one by one. */
  private static final int FEW = 4;

  /** Items that agree in this many conditions are tried one by one, too. */
  private static final int MAX_DEPTH = 16;

  private final Map<Anchor, Integer> counts = new HashMap<>();

  MatchNode<T> node(List<Pending<T>> items) {
    return node(items, 0);
  }

  private MatchNode<T> node(List<Pending<T>> items, int depth) {
    if (items.size() <= FEW || depth == MAX_DEPTH) {
      return new MatchNode<>(items.stream().map(MatchBuild::leaf).toList(), Map.of());
    }
    count(items);
    List<MatchNode.Leaf<T>> rest = new ArrayList<>();
    Map<Anchor, List<Pending<T>>> groups = new LinkedHashMap<>();
    for (Pending<T> item : items) {
      Condition rarest = rarest(item);
      Anchor anchor = rarest == null ? null : item.anchor(rarest);
      if (rarest == null || anchor == null) {
        rest.add(leaf(item));
      } else {
        groups.computeIfAbsent(anchor, a -> new ArrayList<>()).add(item.under(rarest, anchor));
      }
    }
    TreeMap<String, Map<Anchor, List<Pending<T>>>> byAttribute = new TreeMap<>();
    groups.forEach(
        (anchor, group) ->
            byAttribute
                .computeIfAbsent(anchor.attribute(), a -> new LinkedHashMap<>())
                .put(anchor, group));
    Map<String, AttributeNode<T>> attributes = new LinkedHashMap<>();
    byAttribute.forEach((name, anchors) -> attributes.put(name, attribute(anchors, depth)));
    return new MatchNode<>(rest, attributes);
  }

  private AttributeNode<T> attribute(Map<Anchor, List<Pending<T>>> groups, int depth) {
    Map<String, MatchNode<T>> values = new HashMap<>();
    Map<String, MatchNode<T>> heads = new HashMap<>();
    Map<IpNetwork, MatchNode<T>> blocks = new HashMap<>();
    MatchNode<T> present = null;
    for (Map.Entry<Anchor, List<Pending<T>>> group : groups.entrySet()) {
      MatchNode<T> node = node(group.getValue(), depth + 1);
      if (group.getKey() instanceof Anchor.Value value) {
        values.put(value.value(), node);
      } else if (group.getKey() instanceof Anchor.Head head) {
        heads.put(head.prefix(), node);
      } else if (group.getKey() instanceof Anchor.Block block) {
        blocks.put(block.network(), node);
      } else {
        present = node;
      }
    }
    return new AttributeNode<>(values, heads, blocks, present);
  }

  private void count(List<Pending<T>> items) {
    counts.clear();
    for (Pending<T> item : items) {
      for (Condition condition : item.conditions()) {
        Anchor anchor = item.anchor(condition);
        if (anchor != null) {
          counts.merge(anchor, 1, Integer::sum);
        }
      }
    }
  }

  /** Null when the item has only conditions that must be tried. */
  private @Nullable Condition rarest(Pending<T> item) {
    Condition rarest = null;
    long least = Long.MAX_VALUE;
    for (Condition condition : item.conditions()) {
      Anchor anchor = item.anchor(condition);
      if (anchor != null && weight(anchor) < least) {
        rarest = condition;
        least = weight(anchor);
      }
    }
    return rarest;
  }

  /**
   * Approximate number of items that come with an anchor: heads and blocks are found together with
   * those that they begin with, and that an attribute is there says next to nothing.
   */
  private long weight(Anchor anchor) {
    long count = counts.getOrDefault(anchor, 0);
    if (anchor instanceof Anchor.Value) {
      return count <= FEW ? 0 : count;
    }
    return anchor instanceof Anchor.Presence ? Integer.MAX_VALUE + count : count;
  }

  private static <T> MatchNode.Leaf<T> leaf(Pending<T> item) {
    return new MatchNode.Leaf<>(item.item(), item.conditions());
  }
}
