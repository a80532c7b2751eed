package io.quotaenforcer.rules.envoy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Values of any form, as JSON has them: maps, lists, texts, numbers and truth. */
final class Metadata {
  private Metadata() {}

  /** The values of a mapping by their keys; empty ones are left out. */
  static Map<String, Object> of(Node node) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key && !isNull(tuple.getValueNode())) {
        values.put(key.getValue(), value(tuple.getValueNode()));
      }
    }
    return Map.copyOf(values);
  }

  private static Object value(Node node) {
    if (node instanceof MappingNode) {
      return of(node);
    }
    if (node instanceof SequenceNode sequence) {
      List<Object> items = new ArrayList<>();
      sequence.getValue().stream()
          .filter(item -> !isNull(item))
          .forEach(item -> items.add(value(item)));
      return List.copyOf(items);
    }
    String text = ((ScalarNode) node).getValue();
    if (node.getTag().equals(Tag.BOOL)) {
      return Boolean.valueOf(text);
    }
    return node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT) ? number(text) : text;
  }

  private static Object number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }
}
