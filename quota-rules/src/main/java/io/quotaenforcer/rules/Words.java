package io.quotaenforcer.rules;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.schemas.setting.DurationText;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Spelling of constants, algorithms and percentages in the rule language. */
public final class Words {
  private Words() {}

  /** {@code PER_INSTANCE} is {@code per-instance}. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> of(Enum<?>[] constants) {
    return Stream.of(constants).map(Words::of).toList();
  }

  static String algorithm(Limit limit) {
    return of(limit.terms().algorithm());
  }

  static String of(Opening opening) {
    return opening instanceof Opening.Part part ? percent(part.basisPoints()) : "shared";
  }

  /** The end of a message about a word that is not among {@code known}. */
  public static String didYouMean(String word, Collection<String> known, String otherwise) {
    return Suggestions.nearest(word, known)
        .map(near -> "; did you mean " + near + "?")
        .orElse(otherwise);
  }

  /** {@code 1s}. */
  static String period(long nanos) {
    return DurationText.format(Duration.ofNanos(nanos));
  }

  /** {@code 1s}, or {@code month}. */
  static String per(Windows windows) {
    return windows instanceof Windows.Calendar calendar
        ? of(calendar.unit())
        : period(windows.longestNanos());
  }

  /** The same of a limit. */
  static String per(Limit limit) {
    return per(limit.terms().windows());
  }

  /** {@code 525} is {@code 5.25%}. */
  static String percent(int basisPoints) {
    int hundredths = basisPoints % 100;
    String fraction =
        hundredths == 0
            ? ""
            : hundredths % 10 == 0
                ? "." + hundredths / 10
                : String.format(Locale.ROOT, ".%02d", hundredths);
    return basisPoints / 100 + fraction + "%";
  }

  /** {@code 67108864} is {@code 64MiB}. */
  static String bytes(long bytes) {
    int unit = Math.min(4, Long.numberOfTrailingZeros(bytes) / 10);
    return (bytes >> 10 * unit) + (unit == 0 ? "" : "KMGT".charAt(unit - 1) + "iB");
  }
}
