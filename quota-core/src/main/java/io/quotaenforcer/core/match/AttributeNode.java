package io.quotaenforcer.core.match;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Items that stand under conditions on one attribute, found by its value. */
final class AttributeNode<T> {
  private final HashMap<String, MatchNode<T>> values;
  private final PrefixTable<MatchNode<T>> heads;
  private final @Nullable NetworkTable<MatchNode<T>> blocks;
  private final @Nullable MatchNode<T> present;

  AttributeNode(
      Map<String, MatchNode<T>> values,
      Map<String, MatchNode<T>> heads,
      Map<IpNetwork, MatchNode<T>> blocks,
      @Nullable MatchNode<T> present) {
    this.values = new HashMap<>(values);
    this.heads = new PrefixTable<>(heads);
    this.blocks = blocks.isEmpty() ? null : new NetworkTable<>(blocks);
    this.present = present;
  }

  void find(String value, AttributeValues all, MatchIndex.Found<? super T> found) {
    MatchNode<T> equal = values.get(value);
    if (equal != null) {
      equal.find(all, found);
    }
    for (int i = heads.longest(value); i >= 0; i = heads.shorter(i)) {
      heads.get(i).find(all, found);
    }
    if (blocks != null) {
      IpNetwork network = IpNetwork.ofValue(value);
      if (network != null) {
        for (int i = blocks.longest(network); i >= 0; i = blocks.shorter(i)) {
          blocks.get(i).find(all, found);
        }
      }
    }
    if (present != null) {
      present.find(all, found);
    }
  }
}
