package io.quotaenforcer.core.adapt;

import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a quantity of load is measured in, and how conditions write it. */
public enum LoadUnit {
  /** A part of a whole, from 0 to 1; {@code 80%}. */
  PART("a percentage such as 80%", Map.of("%", 0.01)),
  /** A number of requests; {@code 20}. */
  COUNT("a number such as 20", Map.of("", 1.0)),
  /** Requests a second; {@code 200/s}. */
  PER_SECOND("a rate such as 200/s", Map.of("/s", 1.0)),
  /** Nanoseconds; {@code 300ms}. */
  NANOS("a duration such as 300ms", Map.of("us", 1e3, "ms", 1e6, "s", 1e9));

  /** Parts of a whole that are measured as more than this are in another unit, as percent. */
  private static final double MOST_PART = 1.5;

  private static final Pattern NUMBER = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(\\D*)");

  private final String example;
  private final Map<String, Double> suffixes;

  LoadUnit(String example, Map<String, Double> suffixes) {
    this.example = example;
    this.suffixes = suffixes;
  }

  String example() {
    return example;
  }

  /** Empty when the text is no value of this unit. */
  OptionalDouble parse(String text) {
    Matcher parts = NUMBER.matcher(text);
    Double times = parts.matches() ? suffixes.get(parts.group(2)) : null;
    return times == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Double.parseDouble(parts.group(1)) * times);
  }

  /**
   * What is believed of a measured value; empty where it cannot be right. A part that is a little
   * more than the whole is the whole: a container may use more than its quota for a moment, and a
   * second is seldom measured exactly.
   */
  public OptionalDouble believed(double measured) {
    boolean isAboutTheWhole = this == PART && measured > 1 && measured <= MOST_PART;
    double value = isAboutTheWhole ? 1 : measured;
    return holds(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** What a value must be. */
  public String bounds() {
    return this == PART ? "a part from 0 to 1, such as 0.85 for 85%" : "finite and not negative";
  }

  /** Whether a value can be of this unit. */
  boolean holds(double value) {
    return value >= 0 && value < Double.POSITIVE_INFINITY && (this != PART || value <= 1);
  }

  /** A number with this unit in the form of conditions, with up to three decimals. */
  String text(double value) {
    return switch (this) {
      case PART -> number(100 * value) + "%";
      case COUNT -> number(value);
      case PER_SECOND -> number(value) + "/s";
      case NANOS ->
          value < 1e6
              ? number(value / 1e3) + "us"
              : value < 1e9 ? number(value / 1e6) + "ms" : number(value / 1e9) + "s";
    };
  }

  private static String number(double value) {
    String plain =
        BigDecimal.valueOf(Math.round(value * 1e3), 3).stripTrailingZeros().toPlainString();
    return plain;
  }
}
