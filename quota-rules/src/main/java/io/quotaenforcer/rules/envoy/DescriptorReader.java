package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.rules.Attributes;
import io.quotaenforcer.rules.Fields;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.Scalars;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads lists of descriptors as the README and the sources of
 * https://github.com/envoyproxy/ratelimit define them.
 */
final class DescriptorReader {
  /** Longest key of an override; an expression that excludes a value is little longer. */
  private static final int MAX_VALUE_CHARS = 190;

  private static final String METRICS = "detailed_metric";
  private static final String METRIC_VALUE = "value_to_metric";
  private static final String SHARE = "share_threshold";
  private static final String QUOTA_MODE = "quota_mode";
  private static final String METADATA = "metadata";
  private static final List<String> KEYS =
      List.of(
          "key",
          "value",
          "rate_limit",
          "shadow_mode",
          "descriptors",
          METRICS,
          METRIC_VALUE,
          SHARE,
          QUOTA_MODE,
          METADATA);

  private final Problems errors;
  private final Problems warnings;
  private final Scalars scalars;
  private final LimitReader limits;

  DescriptorReader(Problems errors, Problems warnings) {
    this.errors = errors;
    this.warnings = warnings;
    this.scalars = new Scalars(errors);
    this.limits = new LimitReader(errors, warnings);
  }

  /** The descriptors under {@code descriptors:}; empty if it is missing or empty. */
  List<Descriptor> read(Fields parent) {
    Node node = Yaml.given(parent, "descriptors");
    List<Node> items =
        node == null
            ? null
            : Fields.items(node, "descriptors must be a list such as [{key: user}]", errors);
    if (items == null) {
      return List.of();
    }
    List<Descriptor> descriptors = new ArrayList<>();
    Map<String, Node> seen = new HashMap<>();
    for (Node item : items) {
      Descriptor descriptor = descriptor(item);
      if (descriptor == null) {
        continue;
      }
      Node first = seen.putIfAbsent(descriptor.compositeKey(), item);
      if (first != null) {
        errors.at(
            item,
            "duplicate descriptor "
                + Problems.quote(descriptor.toString())
                + "; first given in line "
                + Problems.line(first)
                + ", keep one");
      }
      descriptors.add(descriptor);
    }
    return descriptors;
  }

  private @Nullable Descriptor descriptor(Node node) {
    Fields fields = Fields.of(node, "a descriptor must be a mapping that begins with key", errors);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    String key = key(fields);
    Matcher value = value(fields);
    boolean shares = Yaml.flag(fields, SHARE, scalars, errors);
    if (shares && (value instanceof Matcher.Any || value instanceof Matcher.Exact)) {
      at(
          errors,
          fields,
          SHARE,
          "goes with a value that has a \"*\", as Envoy's service has it; remove it");
    }
    boolean shadow = Yaml.flag(fields, "shadow_mode", scalars, errors);
    for (String metric : List.of(METRICS, METRIC_VALUE)) {
      if (Yaml.flag(fields, metric, scalars, errors)) {
        warn(fields, metric, "has no equivalent, metrics are per rule; left out");
      }
    }
    boolean quotaMode = Yaml.flag(fields, QUOTA_MODE, scalars, errors);
    if (quotaMode) {
      warn(
          fields,
          QUOTA_MODE,
          "holds at a gateway only; elsewhere the limit is enforced as any other");
    }
    Map<String, Object> metadata = metadata(fields);
    Node limitNode = Yaml.given(fields, "rate_limit");
    Optional<EnvoyLimit> limit =
        Optional.ofNullable(limitNode == null ? null : limits.read(limitNode));
    List<Descriptor> nested = read(fields);
    return key == null || value == null
        ? null
        : new Descriptor(key, value, shares, limit, shadow, quotaMode, metadata, nested, node);
  }

  private @Nullable String key(Fields fields) {
    Node node = fields.required("key", "name the attribute, such as key: user");
    String key = node == null ? null : scalars.text(node, "key");
    if (node == null || key == null || !Attributes.check(node, key, errors)) {
      return null;
    }
    if (key.contains("*")) {
      errors.at(
          node,
          "key "
              + Problems.quote(key)
              + " has a \"*\"; only a value may, as attributes are looked up by their name");
      return null;
    }
    return key;
  }

  private Map<String, Object> metadata(Fields fields) {
    Node node = Yaml.given(fields, METADATA);
    if (node == null || Fields.of(node, "metadata must be a mapping", errors) == null) {
      return Map.of();
    }
    warn(fields, METADATA, "is passed on by a gateway only: other decisions have none");
    return Metadata.of(node);
  }

  private @Nullable Matcher value(Fields fields) {
    Node node = Yaml.given(fields, "value");
    String value = node == null ? "" : scalars.text(node, "value");
    if (node == null || value == null || value.isEmpty()) {
      return value == null ? null : new Matcher.Any();
    }
    // Two asterisks match no more than one.
    value = value.replaceAll("\\*+", "*");
    if (value.length() > MAX_VALUE_CHARS) {
      errors.at(node, "value must have at most " + MAX_VALUE_CHARS + " characters; shorten it");
      return null;
    }
    return value.equals("*") ? new Matcher.Prefix("") : Matcher.ofText(value);
  }

  private void warn(Fields fields, String name, String message) {
    at(warnings, fields, name, message);
  }

  private static void at(Problems problems, Fields fields, String name, String message) {
    Fields.Field field = fields.all().get(name);
    if (field != null) {
      problems.at(field.key(), name + " " + message);
    }
  }
}
