package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.schemas.setting.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads single values; each returns null if the value is wrong, which is reported. */
public final class Scalars {
  private static final Duration SHORTEST_PERIOD = Duration.ofNanos(Limit.MIN_PERIOD_NANOS);
  private static final Duration LONGEST_PERIOD = Duration.ofNanos(Limit.MAX_PERIOD_NANOS);
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]+(_[0-9]+)*");
  private static final Pattern FRACTION = Pattern.compile("[0-9_]*\\.[0-9_]+");
  private static final Pattern BYTES = Pattern.compile("([0-9]{1,18})(?:([KMGT])i?B)?");
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,5})(?:\\.([0-9]{1,2}))?%");

  private final Problems problems;

  public Scalars(Problems problems) {
    this.problems = problems;
  }

  /** Text exactly as written: {@code 007} and {@code true} are not turned into anything else. */
  public @Nullable String text(Node node, String what) {
    if (node instanceof ScalarNode scalar && !Fields.isNull(node)) {
      if (hasLoneSurrogate(scalar.getValue())) {
        problems.at(node, what + " must be Unicode text; it holds half of a surrogate pair");
        return null;
      }
      return scalar.getValue();
    }
    String remedy = Fields.isNull(node) ? "; give a value, or remove it" : "";
    problems.at(node, what + " must be text, not " + Fields.kind(node) + remedy);
    return null;
  }

  /** Whether the text cannot be encoded in UTF-8, and thus in a record. */
  static boolean hasLoneSurrogate(String text) {
    return text.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  /** A domain or a rule id. */
  @Nullable String name(Node node, String what) {
    String text = text(node, what);
    if (text != null && !RuleId.isName(text)) {
      problems.at(
          node,
          "%s %s has other characters or length; use 1 to %s of A-Z a-z 0-9 . _ -"
              .formatted(what, Problems.quote(text), RuleId.MAX_CHARS));
      return null;
    }
    return text;
  }

  /** The constant that a word names. */
  <E extends Enum<E>> @Nullable E constant(Node node, String what, E[] constants) {
    String word = word(node, what, Words.of(constants));
    for (E constant : constants) {
      if (Words.of(constant).equals(word)) {
        return constant;
      }
    }
    return null;
  }

  /** One of the known words. */
  @Nullable String word(Node node, String what, List<String> known) {
    String word = text(node, what);
    if (word != null && !known.contains(word)) {
      problems.unknown(node, what, word, known);
      return null;
    }
    return word;
  }

  /** A whole number of permits, {@code least} or more; {@code 1_000} is 1000. */
  @Nullable Long permits(Node node, String what, long least) {
    return number(node, what, least, Limit.MAX_PERMITS);
  }

  /** A whole number within bounds; {@code 1_000} is 1000. */
  public @Nullable Long number(Node node, String what, long least, long most) {
    String text = text(node, what);
    if (text == null) {
      return null;
    }
    if (!WHOLE_NUMBER.matcher(text).matches()) {
      String remedy =
          FRACTION.matcher(text).matches()
              ? "; for a fraction choose a longer period"
              : "; use digits such as 1000 or 1_000";
      problems.at(node, what + " must be a whole number, not " + Problems.quote(text) + remedy);
      return null;
    }
    String digits = text.replace("_", "").replaceFirst("^0+(?=.)", "");
    long value = digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
    if (value < least || value > most) {
      problems.at(
          node,
          what + " must be between " + least + " and " + most + ", not " + Problems.quote(text));
      return null;
    }
    return value;
  }

  /** The nanoseconds of a period. */
  @Nullable Long period(Node node) {
    return duration(node, "per", SHORTEST_PERIOD, LONGEST_PERIOD);
  }

  /** The nanoseconds of a duration in whole milliseconds, within bounds. */
  @Nullable Long duration(Node node, String what, Duration shortest, Duration longest) {
    String text = text(node, what);
    if (text == null) {
      return null;
    }
    Duration duration;
    try {
      duration = DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      problems.at(
          node,
          "%s %s is no duration; use a number and ms, s, m, h or d, such as 1s, or PT1S"
              .formatted(what, Problems.quote(text)));
      return null;
    }
    if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
      problems.at(
          node,
          "%s must be between %s and %s, not %s"
              .formatted(
                  what,
                  DurationText.format(shortest),
                  DurationText.format(longest),
                  Problems.quote(text)));
      return null;
    }
    if (duration.getNano() % 1_000_000 != 0) {
      problems.at(node, what + " must be whole milliseconds, not " + Problems.quote(text));
      return null;
    }
    return duration.toNanos();
  }

  /** {@code true} or {@code false}. */
  @Nullable Boolean truth(Node node, String what) {
    String word = word(node, what, List.of("true", "false"));
    return word == null ? null : Boolean.valueOf(word);
  }

  /**
   * Whether a field that can only be {@code true} is; otherwise that is reported.
   *
   * @param remedy what to do if something else is meant
   */
  boolean isTrue(Node node, String what, String remedy) {
    String text = text(node, what);
    if (text != null && !text.equals("true")) {
      problems.at(
          node, "%s must be true, not %s; %s".formatted(what, Problems.quote(text), remedy));
    }
    return "true".equals(text);
  }

  /** A number of bytes: {@code 1MiB}, {@code 64MB} (the same: 2^20) or digits. */
  @Nullable Long bytes(Node node, String what, long most) {
    String text = text(node, what);
    if (text == null) {
      return null;
    }
    Matcher matcher = BYTES.matcher(text);
    int shift =
        matcher.matches() && matcher.group(2) != null
            ? 10 * (1 + "KMGT".indexOf(matcher.group(2)))
            : 0;
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) > most >> shift) {
      problems.at(
          node,
          "%s %s is no number of bytes up to 1024TiB; use digits and KiB, MiB, GiB or TiB, such as 64MiB"
              .formatted(what, Problems.quote(text)));
      return null;
    }
    long value = Long.parseLong(matcher.group(1)) << shift;
    if (value == 0) {
      problems.at(node, what + " must be at least 1");
      return null;
    }
    return value;
  }

  /** Hundredths of a percent, with a minimum. */
  @Nullable Integer percent(Node node, String what, int least) {
    return percent(node, what, least, 10_000);
  }

  /** Hundredths of a percent, with a minimum and a maximum. */
  @Nullable Integer percent(Node node, String what, int least, int most) {
    String text = text(node, what);
    if (text == null) {
      return null;
    }
    Matcher matcher = PERCENT.matcher(text);
    if (!matcher.matches()) {
      String remedy =
          PERCENT.matcher(text + "%").matches()
              ? "; write \"" + text + "%\""
              : "; use 0% to 100% with at most two decimals, such as 5% or 2.25%";
      problems.at(node, what + " must be a percentage, not " + Problems.quote(text) + remedy);
      return null;
    }
    String fraction = matcher.group(2) == null ? "00" : (matcher.group(2) + "0").substring(0, 2);
    int basisPoints = Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(fraction);
    if (basisPoints < least || basisPoints > most) {
      problems.at(
          node,
          "%s must be between %s and %s, not %s"
              .formatted(what, Words.percent(least), Words.percent(most), Problems.quote(text)));
      return null;
    }
    return basisPoints;
  }
}
