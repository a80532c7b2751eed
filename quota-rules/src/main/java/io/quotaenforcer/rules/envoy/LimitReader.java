package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.rules.Fields;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.Scalars;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code {unit: day, requests_per_unit: 5}}. */
final class LimitReader {
  private static final String REQUESTS = "requests_per_unit";
  private static final String MULTIPLIER = "unit_multiplier";
  private static final List<String> KEYS =
      List.of("unit", REQUESTS, MULTIPLIER, "unlimited", "name", "replaces");

  /** Envoy's numbers have 32 bits. */
  private static final long MAX_NUMBER = 0xffff_ffffL;

  private static final long LONGEST_NANOS = Duration.ofDays(400).toNanos();

  private final Problems errors;
  private final Problems warnings;
  private final Scalars scalars;
  private final Numbers numbers;

  LimitReader(Problems errors, Problems warnings) {
    this.errors = errors;
    this.warnings = warnings;
    this.scalars = new Scalars(errors);
    this.numbers = new Numbers(errors, warnings);
  }

  /** The limit; null if some part is wrong, which is reported. */
  @Nullable EnvoyLimit read(Node node) {
    Fields fields =
        Fields.of(
            node, "rate_limit must be a mapping such as {unit: day, requests_per_unit: 5}", errors);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node nameNode = Yaml.given(fields, "name");
    String name = nameNode == null ? null : scalars.text(nameNode, "name");
    List<EnvoyLimit.Replaced> replaces = replaces(fields, name);
    if (Yaml.flag(fields, "unlimited", scalars, errors)) {
      refuseUnit(fields);
      requests(fields);
      return new EnvoyLimit(Optional.empty(), Optional.ofNullable(name), replaces);
    }
    FixedWindow window = window(node, fields);
    return window == null
        ? null
        : new EnvoyLimit(Optional.of(window), Optional.ofNullable(name), replaces);
  }

  /** Envoy's service ignores unknown units. */
  private void refuseUnit(Fields fields) {
    Node node = Yaml.given(fields, "unit");
    String text = node == null ? null : scalars.text(node, "unit");
    if (node != null && text != null && EnvoyUnit.WORDS.contains(text.toLowerCase(Locale.ROOT))) {
      errors.at(node, "an unlimited rate_limit has no unit; remove one of them");
    }
  }

  /** 0 if there is none, as in Envoy's service; null if it is wrong, which is reported. */
  private @Nullable Long requests(Fields fields) {
    Node node = Yaml.given(fields, REQUESTS);
    return node == null ? Long.valueOf(0) : numbers.read(node, REQUESTS, 0, MAX_NUMBER);
  }

  private @Nullable FixedWindow window(Node place, Fields fields) {
    Node unitNode = fields.required("unit", "give one of " + String.join(", ", EnvoyUnit.WORDS));
    EnvoyUnit unit = unitNode == null ? null : unit(unitNode);
    Long requests = requests(fields);
    Node multiplierNode = Yaml.given(fields, MULTIPLIER);
    Long multiplier =
        multiplierNode == null
            ? Long.valueOf(1)
            : numbers.read(multiplierNode, MULTIPLIER, 1, MAX_NUMBER);
    if (unit == null || requests == null || multiplier == null) {
      return null;
    }
    if (multiplierNode != null && multiplier > LONGEST_NANOS / unit.nanos()) {
      errors.at(
          multiplierNode,
          "%d times a %s is longer than 400 days, which is the longest period of a rule; use less"
              .formatted(multiplier, unit.word()));
      return null;
    }
    if (Yaml.given(fields, REQUESTS) == null) {
      warnings.at(
          place,
          "no requests_per_unit is 0 to Envoy's service, and so it is here: every request is over"
              + " the limit");
    }
    return new FixedWindow(requests, multiplier * unit.nanos());
  }

  private @Nullable EnvoyUnit unit(Node node) {
    String text = scalars.text(node, "unit");
    if (text == null) {
      return null;
    }
    String word = text.toLowerCase(Locale.ROOT);
    if (!EnvoyUnit.WORDS.contains(word)) {
      errors.unknown(node, "unit", text, EnvoyUnit.WORDS);
      return null;
    }
    EnvoyUnit unit = EnvoyUnit.values()[EnvoyUnit.WORDS.indexOf(word)];
    if (unit.isCalendarLike()) {
      warnings.at(
          node,
          "a "
              + word
              + " is "
              + unit.nanos() / EnvoyUnit.DAY.nanos()
              + " days counted from 1970-01-01 UTC, as by Envoy; there are no calendar windows");
    }
    return unit;
  }

  private List<EnvoyLimit.Replaced> replaces(Fields fields, @Nullable String own) {
    Node node = Yaml.given(fields, "replaces");
    List<Node> items =
        node == null
            ? null
            : Fields.items(node, "replaces must be a list such as [{name: other}]", errors);
    List<EnvoyLimit.Replaced> replaces = new ArrayList<>();
    for (Node item : items == null ? List.<Node>of() : items) {
      Fields one = Fields.of(item, "replaces must be a list such as [{name: other}]", errors);
      Node nameNode = one == null ? null : one.only(List.of("name")).required("name", "say which");
      String name = nameNode == null ? null : scalars.text(nameNode, "name");
      if (nameNode == null || name == null) {
        continue;
      }
      if (name.isEmpty() || name.equals(own)) {
        errors.at(nameNode, "a limit replaces others, not " + Problems.quote(name) + "; name one");
      }
      replaces.add(new EnvoyLimit.Replaced(name, nameNode));
    }
    return replaces;
  }
}
