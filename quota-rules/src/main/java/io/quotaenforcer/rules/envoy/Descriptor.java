package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A descriptor of a configuration, with its nested ones.
 *
 * @param value {@link Matcher.Any} if not given, else exact, a prefix or a wildcard
 * @param shared whether all values that match a pattern share one counter
 * @param shadow whether its limit only observes
 * @param quotaMode whether it refuses only together with all others of this kind
 * @param metadata to be passed on where its limit has room
 * @param place its beginning in the file
 */
record Descriptor(
    String key,
    Matcher value,
    boolean shared,
    Optional<EnvoyLimit> limit,
    boolean shadow,
    boolean quotaMode,
    Map<String, Object> metadata,
    List<Descriptor> nested,
    Node place) {

  Descriptor {
    metadata = Map.copyOf(metadata);
    nested = List.copyOf(nested);
  }

  /** The same under another key. */
  Descriptor named(String newKey) {
    return new Descriptor(newKey, value, shared, limit, shadow, quotaMode, metadata, nested, place);
  }

  /** Whether each value has a counter of its own. */
  boolean countsApart() {
    return value instanceof Matcher.Any || (!(value instanceof Matcher.Exact) && !shared);
  }

  /** Whether it has a limit in permits; an unlimited one has not. */
  boolean isLimited() {
    return limit.flatMap(EnvoyLimit::window).isPresent();
  }

  /** The value as written; empty if none is. */
  String valueText() {
    return Values.text(value);
  }

  /** The key by which Envoy's service identifies siblings. */
  String compositeKey() {
    String text = valueText();
    return text.isEmpty() ? key : key + "_" + text;
  }

  /** {@code key=value}, or the key alone. */
  @Override
  public String toString() {
    return value instanceof Matcher.Any ? key : key + "=" + valueText();
  }
}
