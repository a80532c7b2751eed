package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.gateway.envoy.NaiveEnvoy.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Configurations and requests of few keys and values, so that they often meet. Every limit has
 * another number of permits, by which an answer shows which of them it comes from.
 */
final class RandomTree {
  private static final String[] KEYS = {"a", "b", "c"};
  private static final String[] VALUES = {"x", "xy", "xyz", "y", "zx", "z"};
  private static final String[] PATTERNS = {"*", "x*", "*z", "x*z", "*y*", "z*x"};
  private static final String[] NAMES = {"one", "two"};

  private final SplittableRandom random;
  private int limits;

  RandomTree(SplittableRandom random) {
    this.random = random;
  }

  /** A rate limit. */
  record Limit(long permits, boolean unlimited, Optional<String> name, List<String> replaces) {
    private String yaml() {
      String names =
          name.map(text -> ", name: " + text).orElse("")
              + (replaces.isEmpty()
                  ? ""
                  : ", replaces: " + replaces.stream().map(one -> "{name: " + one + "}").toList());
      return unlimited
          ? "{unlimited: true" + names + "}"
          : "{unit: day, requests_per_unit: " + permits + names + "}";
    }
  }

  /** A descriptor of a configuration; an empty value is none. */
  record Node(
      String key,
      String value,
      boolean shared,
      boolean shadow,
      boolean quotaMode,
      Optional<Limit> limit,
      List<Node> nested) {

    String yaml() {
      return "{key: "
          + key
          + (value.isEmpty() ? "" : ", value: \"" + value + "\"")
          + (shared ? ", share_threshold: true" : "")
          + (shadow ? ", shadow_mode: true" : "")
          + (quotaMode ? ", quota_mode: true" : "")
          + limit.map(one -> ", rate_limit: " + one.yaml()).orElse("")
          + (nested.isEmpty() ? "" : ", descriptors: " + nodes(nested))
          + "}";
    }
  }

  static String yaml(List<Node> top) {
    return "domain: d\ndescriptors: " + nodes(top) + "\n";
  }

  private static String nodes(List<Node> nodes) {
    return nodes.stream().map(Node::yaml).collect(Collectors.joining(", ", "[", "]"));
  }

  List<Node> nodes(int depth) {
    List<Node> nodes = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = random.nextInt(1, 7); i > 0; i--) {
      String key = Seeded.oneOf(random, KEYS);
      String value = value();
      if (seen.add(key + "=" + value)) {
        List<Node> nested = depth > 1 && random.nextInt(3) > 0 ? nodes(depth - 1) : List.of();
        boolean shared = value.contains("*") && random.nextBoolean();
        boolean shadow = random.nextInt(8) == 0;
        boolean quotaMode = random.nextInt(6) == 0;
        nodes.add(new Node(key, value, shared, shadow, quotaMode, limit(), nested));
      }
    }
    return nodes;
  }

  private String value() {
    int kind = random.nextInt(4);
    if (kind == 0) {
      return "";
    }
    return kind == 1 ? Seeded.oneOf(random, PATTERNS) : Seeded.oneOf(random, VALUES);
  }

  private Optional<Limit> limit() {
    if (random.nextInt(4) == 0) {
      return Optional.empty();
    }
    boolean unlimited = random.nextInt(8) == 0;
    Optional<String> name =
        random.nextInt(4) == 0 ? Optional.of(Seeded.oneOf(random, NAMES)) : Optional.empty();
    List<String> replaces = new ArrayList<>();
    if (random.nextInt(6) == 0) {
      String other = Seeded.oneOf(random, NAMES);
      if (!name.equals(Optional.of(other))) {
        replaces.add(other);
      }
    }
    return Optional.of(new Limit(limits++, unlimited, name, replaces));
  }

  /** Descriptors that mostly follow the tree, so that most of them find something. */
  List<List<Entry>> descriptors(List<Node> top) {
    List<List<Entry>> descriptors = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      List<Entry> entries = new ArrayList<>();
      List<Node> level = top;
      do {
        boolean follows = !level.isEmpty() && random.nextInt(8) > 0;
        Node node = follows ? level.get(random.nextInt(level.size())) : null;
        String key = node == null ? Seeded.oneOf(random, KEYS) : node.key();
        entries.add(new Entry(key, requested(node)));
        level = node == null ? List.of() : node.nested();
      } while (random.nextInt(3) > 0 && entries.size() < 5);
      descriptors.add(entries);
    }
    return descriptors;
  }

  private String requested(Node node) {
    if (random.nextInt(12) == 0) {
      return "";
    }
    boolean exact = node != null && !node.value().isEmpty() && !node.value().contains("*");
    return exact && random.nextInt(3) > 0 ? node.value() : Seeded.oneOf(random, VALUES);
  }
}
