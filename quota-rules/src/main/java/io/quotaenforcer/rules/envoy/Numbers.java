package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.rules.Problems;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Whole numbers as Envoy's service reads them, by YAML 1.1: {@code 010} is octal, {@code 0x10}
 * hexadecimal, {@code 0b10} binary; underscores are ignored.
 */
final class Numbers {
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]*");
  private static final Pattern OCTAL = Pattern.compile("0o?([0-7]+)");
  private static final Pattern HEX = Pattern.compile("0[xX]([0-9a-fA-F]+)");
  private static final Pattern BINARY = Pattern.compile("0b([01]+)");
  private static final int MOST_DIGITS = 60;

  private final Problems errors;
  private final Problems warnings;

  Numbers(Problems errors, Problems warnings) {
    this.errors = errors;
    this.warnings = warnings;
  }

  /** A number within bounds; null if it is not one, which is reported. */
  @Nullable Long read(Node node, String what, long least, long most) {
    if (!(node instanceof ScalarNode scalar)) {
      errors.at(node, what + " must be a whole number; use digits such as 1000 or 1_000");
      return null;
    }
    String text = scalar.getValue();
    Long value = value(scalar);
    if (value == null) {
      errors.at(
          node,
          what + " must be a whole number, not " + Problems.quote(text) + "; " + remedy(scalar));
      return null;
    }
    if (value < least || value > most) {
      errors.at(
          node,
          what + " must be between " + least + " and " + most + ", not " + Problems.quote(text));
      return null;
    }
    if (value > 7 && text.matches("0[0-7_]+")) {
      warnings.at(
          node,
          "%s %s is octal, as Envoy's service reads it: %d"
              .formatted(what, Problems.quote(text), value));
    }
    return value;
  }

  private static String remedy(ScalarNode scalar) {
    if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
      return "Envoy's service takes none in quotes, remove them";
    }
    return scalar.getValue().matches("0[0-9_]+")
        ? "Envoy's service takes one that begins with 0 for octal, remove the 0"
        : "use digits such as 1000 or 1_000";
  }

  private static @Nullable Long value(ScalarNode scalar) {
    String text = scalar.getValue().replace("_", "");
    if (scalar.getScalarStyle() != ScalarStyle.PLAIN
        || !scalar.getValue().matches("[0-9].*")
        || text.length() > MOST_DIGITS) {
      return null;
    }
    if (DECIMAL.matcher(text).matches()) {
      return parse(text, 10);
    }
    Long octal = parse(OCTAL, text, 8);
    Long hex = octal == null ? parse(HEX, text, 16) : octal;
    return hex == null ? parse(BINARY, text, 2) : hex;
  }

  private static @Nullable Long parse(Pattern form, String text, int radix) {
    Matcher digits = form.matcher(text);
    return digits.matches() ? parse(digits.group(1), radix) : null;
  }

  /** Beyond all bounds, any number will do. */
  private static Long parse(String digits, int radix) {
    try {
      return Long.parseLong(digits, radix);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
