package io.quotaenforcer.core.adapt;

import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a quantity of load is measured in, and how conditions write it. */
public enum LoadUnit {
  /** A part of a whole, from 0 to 1; {@code 80%}. */
  PART("a percentage such as 80%", new Suffix("%", 0.01)),
  /** A number of requests; {@code 20}. */
  COUNT("a number such as 20", new Suffix("", 1)),
  /** Requests a second; {@code 200/s}. */
  PER_SECOND("a rate such as 200/s", new Suffix("/s", 1)),
  /** Nanoseconds; {@code 300ms}. */
  NANOS(
      "a duration such as 300ms",
      new Suffix("s", 1e9),
      new Suffix("ms", 1e6),
      new Suffix("us", 1e3));

  /** Parts of a whole that are measured as more than this are in another unit, as percent. */
  private static final double MOST_PART = 1.5;

  private static final Pattern NUMBER = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(\\D*)");

  private final String example;
  private final List<Suffix> suffixes;

  /** What stands behind a number, and what the number is times. */
  private record Suffix(String text, double times) {
    String of(double value) {
      long thousandths = Math.round(value / times * 1e3);
      return BigDecimal.valueOf(thousandths, 3).stripTrailingZeros().toPlainString() + text;
    }
  }

  /**
   * @param suffixes the largest first
   */
  LoadUnit(String example, Suffix... suffixes) {
    this.example = example;
    this.suffixes = List.of(suffixes);
  }

  String example() {
    return example;
  }

  /** Empty when the text is no value of this unit. */
  OptionalDouble parse(String text) {
    Matcher parts = NUMBER.matcher(text);
    if (!parts.matches()) {
      return OptionalDouble.empty();
    }
    double number = Double.parseDouble(parts.group(1));
    return suffixes.stream()
        .filter(suffix -> suffix.text.equals(parts.group(2)))
        .mapToDouble(suffix -> number * suffix.times)
        .findFirst();
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

  /**
   * A number with this unit in the form of conditions. What was {@linkplain #parse read} is written
   * so that it reads back the same; anything else, such as what was measured, with up to three
   * decimals.
   */
  String text(double value) {
    Suffix usual =
        suffixes.stream()
            .filter(suffix -> suffix.times <= value)
            .findFirst()
            .orElse(suffixes.get(suffixes.size() - 1));
    String rounded = usual.of(value);
    return Stream.concat(Stream.of(rounded), suffixes.stream().map(suffix -> suffix.of(value)))
        .filter(text -> parse(text).equals(OptionalDouble.of(value)))
        .findFirst()
        .orElse(rounded);
  }
}
