package io.quotaenforcer.core.match;

import java.util.List;
import java.util.Map;

/** Items that share the conditions known here, divided by their other ones. */
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
   * @param conditions that its place does not guarantee
   */
  record Leaf<T>(T item, List<Condition> conditions) {
    Leaf {
      conditions = List.copyOf(conditions);
    }

    void find(AttributeValues values, MatchIndex.Found<? super T> found) {
      String givenUp = null;
      for (int i = 0; i < conditions.size(); i++) {
        Condition condition = conditions.get(i);
        Answer answer = condition.test(values);
        if (answer == Answer.NO) {
          return;
        }
        givenUp = answer == Answer.GIVEN_UP ? condition.attribute() : givenUp;
      }
      if (givenUp == null) {
        found.found(item);
      } else {
        found.foundUnsure(item, givenUp);
      }
    }
  }

  void find(AttributeValues values, MatchIndex.Found<? super T> found) {
    for (int i = 0; i < rest.size(); i++) {
      rest.get(i).find(values, found);
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
