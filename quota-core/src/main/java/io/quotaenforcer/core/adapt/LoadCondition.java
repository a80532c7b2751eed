package io.quotaenforcer.core.adapt;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on one quantity of a service's load, such as {@code latency.p99 > 300ms}. Between where
 * it begins to hold and where it is over lies a band in which neither is said, so that a value at
 * the bound does not switch to and fro. Immutable.
 */
public sealed interface LoadCondition {
  /** Of the bound, how far a value must be on the good side before the condition is over. */
  double HYSTERESIS = 0.1;

  /** The quantity and the bound, in the unit of the quantity. */
  LoadQuantity quantity();

  double bound();

  boolean holdsAt(double value);

  /** Never where it {@linkplain #holdsAt holds}; in the band neither is true. */
  boolean isOverAt(double value);

  /** How far a value is from the bound, as a part of it: 0 where the condition holds, at most 1. */
  double room(double value);

  /** Of another quantity all, of the condition's own what lies beyond the bound; 0 if not known. */
  double beyond(LoadSignal mean, LoadQuantity of);

  /** Holds for values larger than a bound. */
  record Above(LoadQuantity quantity, double bound) implements LoadCondition {
    public Above {
      check(bound);
    }

    @Override
    public boolean holdsAt(double value) {
      return value > bound;
    }

    @Override
    public boolean isOverAt(double value) {
      return value <= bound * (1 - HYSTERESIS);
    }

    @Override
    public double room(double value) {
      return Math.max(0, 1 - value / bound);
    }

    @Override
    public double beyond(LoadSignal mean, LoadQuantity of) {
      double all = mean.value(of).orElse(0);
      return of == quantity ? Math.max(0, all - bound) : all;
    }

    @Override
    public String toString() {
      return quantity.spelling() + " > " + quantity.unit().text(bound);
    }
  }

  /** Holds for values smaller than a bound. */
  record Below(LoadQuantity quantity, double bound) implements LoadCondition {
    public Below {
      check(bound);
    }

    @Override
    public boolean holdsAt(double value) {
      return value < bound;
    }

    @Override
    public boolean isOverAt(double value) {
      return value >= bound * (1 + HYSTERESIS);
    }

    @Override
    public double room(double value) {
      return Math.max(0, Math.min(1, value / bound - 1));
    }

    @Override
    public double beyond(LoadSignal mean, LoadQuantity of) {
      return mean.value(of).orElse(0);
    }

    @Override
    public String toString() {
      return quantity.spelling() + " < " + quantity.unit().text(bound);
    }
  }

  /**
   * Reads a condition as rule authors write it, and as {@code toString} does.
   *
   * @throws IllegalArgumentException when it is none, with what to write instead
   */
  static LoadCondition parse(String text) {
    Matcher parts = Syntax.CONDITION.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be a quantity, > or <, and a bound, such as latency.p99 > 300ms: " + text);
    }
    LoadQuantity quantity =
        LoadQuantity.spelled(parts.group(1))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "must be about one of %s: %s"
                            .formatted(LoadQuantity.spellings(), parts.group(1))));
    OptionalDouble bound = quantity.unit().parse(parts.group(3));
    if (bound.isEmpty() || bound.getAsDouble() <= 0) {
      throw new IllegalArgumentException(
          "%s must be compared with %s above 0: %s"
              .formatted(quantity.spelling(), quantity.unit().example(), parts.group(3)));
    }
    return parts.group(2).equals(">")
        ? new Above(quantity, bound.getAsDouble())
        : new Below(quantity, bound.getAsDouble());
  }

  private static void check(double bound) {
    if (!(bound > 0 && bound < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("must be positive: bound=" + bound);
    }
  }

  /** How conditions are written. */
  final class Syntax {
    private static final Pattern CONDITION =
        Pattern.compile("([\\w.-]{1,40})\\s*([<>])\\s*(\\S{1,20})");

    private Syntax() {}
  }
}
