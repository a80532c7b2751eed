package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.gateway.envoy.RandomTree.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Envoy's lookup and counters, written a second time from what its README says, as simply as can
 * be: every descriptor of the configuration is looked at for every entry.
 */
final class NaiveEnvoy {
  private final List<Node> top;
  private final Map<List<Object>, Long> used = new HashMap<>();

  NaiveEnvoy(List<Node> top) {
    this.top = top;
  }

  /** An entry of a request's descriptor. */
  record Entry(String key, String value) {}

  /** A limit that was found, and the values that it counts by. */
  record Found(Node node, List<String> values) {
    long permits() {
      return node.limit().orElseThrow().permits();
    }

    String text(String code, long remaining) {
      return "%s %d of %d/day 84178s".formatted(code, remaining, permits());
    }
  }

  /** Windows end: everything is unused again. */
  void forget() {
    used.clear();
  }

  /** The answer to a request that wants {@code hits} permits of each of its descriptors. */
  String answer(List<List<Entry>> descriptors, long hits) {
    List<Optional<Found>> found = descriptors.stream().map(this::find).toList();
    List<String> replaced =
        found.stream()
            .flatMap(Optional::stream)
            .flatMap(each -> each.node().limit().orElseThrow().replaces().stream())
            .toList();
    List<String> statuses = new ArrayList<>();
    List<Runnable> back = new ArrayList<>();
    boolean ordinaryOver = false;
    int quotas = 0;
    int quotasOver = 0;
    List<Runnable> afterwards = new ArrayList<>();
    for (Optional<Found> one : found) {
      if (one.isEmpty()) {
        statuses.add("OK no limit");
        continue;
      }
      Node node = one.get().node();
      RandomTree.Limit limit = node.limit().orElseThrow();
      if (limit.unlimited()) {
        statuses.add("OK unlimited");
        continue;
      }
      if (limit.name().filter(replaced::contains).isPresent()) {
        statuses.add("OK no limit");
        continue;
      }
      List<Object> counter = List.of(System.identityHashCode(node), one.get().values());
      long before = used.getOrDefault(counter, 0L);
      boolean fits = before + hits <= limit.permits();
      boolean over = !fits && !node.shadow();
      if (fits) {
        used.merge(counter, hits, Long::sum);
        back.add(() -> used.merge(counter, -hits, Long::sum));
      }
      quotas += node.quotaMode() ? 1 : 0;
      quotasOver += node.quotaMode() && over ? 1 : 0;
      ordinaryOver |= over && !node.quotaMode();
      int place = statuses.size();
      statuses.add("");
      String name = limit.name().map(text -> " " + text).orElse("");
      long shown = fits ? limit.permits() - before - hits : 0;
      statuses.set(place, one.get().text(over ? "OVER_LIMIT" : "OK", shown) + name);
      if (fits) {
        // A request that is refused takes nothing, and its answer says so.
        long unused = Math.min(limit.permits(), shown + hits);
        afterwards.add(() -> statuses.set(place, one.get().text("OK", unused) + name));
      }
    }
    boolean refused = ordinaryOver || (quotas > 0 && quotasOver == quotas);
    if (refused) {
      back.forEach(Runnable::run);
      afterwards.forEach(Runnable::run);
    }
    return (refused ? "OVER_LIMIT | " : "OK | ") + String.join("; ", statuses);
  }

  private Optional<Found> find(List<Entry> entries) {
    List<Node> level = top;
    List<String> values = new ArrayList<>();
    Node at = null;
    for (Entry entry : entries) {
      at = next(level, entry);
      if (at == null) {
        return Optional.empty();
      }
      if (at.value().isEmpty() || (at.value().contains("*") && !at.shared())) {
        values.add(entry.value());
      }
      level = at.nested();
    }
    return at == null || at.limit().isEmpty()
        ? Optional.empty()
        : Optional.of(new Found(at, values));
  }

  private static Node next(List<Node> level, Entry entry) {
    List<Node> ofKey = level.stream().filter(node -> node.key().equals(entry.key())).toList();
    return ofKey.stream()
        .filter(node -> !node.value().isEmpty() && node.value().equals(entry.value()))
        .findFirst()
        .or(() -> ofKey.stream().filter(node -> matches(node.value(), entry.value())).findFirst())
        .or(() -> ofKey.stream().filter(node -> node.value().isEmpty()).findFirst())
        .orElse(null);
  }

  private static boolean matches(String pattern, String value) {
    StringBuilder regex = new StringBuilder();
    for (String part : pattern.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return pattern.contains("*") && Pattern.matches(regex.toString(), value);
  }
}
