package io.quotaenforcer.core.match;

import java.util.List;
import java.util.Map;

/** Items of which the same is known, divided by what is not. */
final class MatchNode<T> {
  private final List<Leaf<T>> rest;
  private final Map<String, AttributeNode<T>> byAttribute;
  private final List<Map.Entry<String, AttributeNode<T>>> attributes;

  MatchNode(List<Leaf<T>> rest, Map<String, AttributeNode<T>> byAttribute) {
    this.rest = List.copyOf(rest);
    this.byAttribute = Map.copyOf(byAttribute);
    this.attributes = List.copyOf(byAttribute.entrySet());
  }

  /**
   * An item in its place.
   *
   * @param conditions that its place does not say
   */
  record Leaf<T>(T item, List<Condition> conditions) {
    Leaf {
      conditions = List.copyOf(conditions);
    }

    boolean holds(AttributeValues values) {
      for (int i = 0; i < conditions.size(); i++) {
        if (!conditions.get(i).holds(values)) {
          return false;
        }
      }
      return true;
    }
  }

  void find(AttributeValues values, MatchIndex.Found<? super T> found) {
    for (int i = 0; i < rest.size(); i++) {
      Leaf<T> leaf = rest.get(i);
      if (leaf.holds(values)) {
        found.found(leaf.item());
      }
    }
    if (attributes.size() <= values.count()) {
      for (int i = 0; i < attributes.size(); i++) {
        String value = values.get(attributes.get(i).getKey());
        if (value != null) {
          attributes.get(i).getValue().find(value, values, found);
        }
      }
    } else {
      for (String name : values.names()) {
        AttributeNode<T> node = byAttribute.get(name);
        String value = node == null ? null : values.get(name);
        if (node != null && value != null) {
          node.find(value, values, found);
        }
      }
    }
  }
}
