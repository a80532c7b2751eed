package io.quotaenforcer.cli.envoy;

import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * One descriptor of a configuration, with those nested in it.
 *
 * @param value {@link Matcher.Any} when none is given, else exact, a prefix or a wildcard
 * @param shared whether all values that a pattern stands for share one counter
 * @param shadow whether its limit only watches
 * @param place where it begins
 */
record Descriptor(
    String key,
    Matcher value,
    boolean shared,
    Optional<EnvoyLimit> limit,
    boolean shadow,
    List<Descriptor> nested,
    Node place) {

  /** Whether each value has a counter of its own. */
  boolean countsApart() {
    return value instanceof Matcher.Any || (!(value instanceof Matcher.Exact) && !shared);
  }

  /** The limit in permits; empty when there is none, or it is unlimited. */
  boolean isLimited() {
    return limit.flatMap(EnvoyLimit::window).isPresent();
  }

  /** The value as it is written; empty when none is. */
  String valueText() {
    return Values.text(value);
  }

  /** What Envoy's service knows siblings by. */
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
