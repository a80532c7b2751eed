package io.quotaenforcer.rules;

import io.quotaenforcer.core.Suggestions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.NodeType;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys of one YAML mapping with their values. */
public final class Fields {
  /** In YAML 1.1, includes the fields of another mapping. */
  private static final String MERGE = "<<";

  /** A key and its value. */
  public record Field(ScalarNode key, Node value) {}

  /** Reads the value of a key; returns null if it is wrong, which is reported. */
  interface Reader<V> {
    @Nullable V read(Node node, String name);
  }

  private final Node mapping;
  private final Map<String, Field> fields;
  private final Problems problems;
  private final Set<String> unknown = new HashSet<>();

  private Fields(Node mapping, Map<String, Field> fields, Problems problems) {
    this.mapping = mapping;
    this.fields = fields;
    this.problems = problems;
  }

  /**
   * Reads a mapping; null if it is something else, which is reported.
   *
   * @param what the field and its form, as in {@code "limit must be a mapping such as …"}
   */
  public static @Nullable Fields of(Node node, String what, Problems problems) {
    if (!(node instanceof MappingNode mapping)) {
      problems.at(node, what + ", not " + kind(node));
      return null;
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key) || isNull(tuple.getKeyNode())) {
        problems.at(tuple.getKeyNode(), "a key must be text, not " + kind(tuple.getKeyNode()));
        continue;
      }
      Field first = fields.putIfAbsent(key.getValue(), new Field(key, tuple.getValueNode()));
      if (first != null) {
        problems.at(
            key,
            "duplicate key %s; first given in line %s, keep one"
                .formatted(Problems.quote(key.getValue()), Problems.line(first.key())));
      }
    }
    return new Fields(node, fields, problems);
  }

  /** Reports every other key. */
  public Fields only(List<String> known) {
    fields.forEach(
        (name, field) -> {
          if (known.contains(name)) {
            return;
          }
          unknown.add(name);
          if (name.equals(MERGE)) {
            problems.at(
                field.key(), "merge keys (\"<<\") are not read; write out what it stands for");
          } else {
            problems.unknown(field.key(), "key", name, known);
          }
        });
    return this;
  }

  Node node() {
    return mapping;
  }

  public Map<String, Field> all() {
    return fields;
  }

  /** The value of a key; null if absent. */
  public @Nullable Node optional(String name) {
    Field field = fields.get(name);
    return field == null ? null : field.value();
  }

  /** The value of a key; {@code otherwise} if absent, null if wrong. */
  <V> @Nullable V value(String name, V otherwise, Reader<V> reader) {
    Node node = optional(name);
    return node == null ? otherwise : reader.read(node, name);
  }

  /**
   * Whether an unknown key was reported that may be a misspelling of this one, or a merge that
   * brings it.
   */
  boolean isMisspelt(String name) {
    return unknown.contains(MERGE)
        || unknown.stream().anyMatch(word -> Suggestions.nearest(word, List.of(name)).isPresent());
  }

  /**
   * The value of a key; null if absent, which is reported unless a misspelling was reported
   * already.
   */
  public @Nullable Node required(String name, String remedy) {
    Field field = fields.get(name);
    if (field == null && isMisspelt(name)) {
      return null;
    }
    if (field == null) {
      problems.at(mapping, "missing \"" + name + "\"; " + remedy);
      return null;
    }
    return field.value();
  }

  /** The items of a list; null if it is something else, which is reported. */
  public static @Nullable List<Node> items(Node node, String what, Problems problems) {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    problems.at(node, what + ", not " + kind(node));
    return null;
  }

  public static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  static String kind(Node node) {
    if (node.getNodeType() == NodeType.SEQUENCE) {
      return "a list";
    }
    if (node.getNodeType() == NodeType.MAPPING) {
      return "a mapping";
    }
    return isNull(node) ? "nothing" : Problems.quote(((ScalarNode) node).getValue());
  }
}
