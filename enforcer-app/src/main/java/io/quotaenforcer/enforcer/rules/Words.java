package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How the rule language spells constants, algorithms and percentages. */
final class Words {
  static final String FIXED_WINDOW = "fixed-window";
  static final String SLIDING_WINDOW = "sliding-window";
  static final String TOKEN_BUCKET = "token-bucket";
  static final List<String> ALGORITHMS = List.of(FIXED_WINDOW, SLIDING_WINDOW, TOKEN_BUCKET);

  private Words() {}

  /** {@code PER_INSTANCE} is {@code per-instance}. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> of(Enum<?>[] constants) {
    return Stream.of(constants).map(Words::of).toList();
  }

  static String algorithm(Limit limit) {
    if (limit instanceof FixedWindow) {
      return FIXED_WINDOW;
    }
    return limit instanceof SlidingWindow ? SLIDING_WINDOW : TOKEN_BUCKET;
  }

  static Limit limit(String algorithm, long permits, long periodNanos, long burst) {
    return switch (algorithm) {
      case FIXED_WINDOW -> new FixedWindow(permits, periodNanos);
      case SLIDING_WINDOW -> new SlidingWindow(permits, periodNanos);
      case TOKEN_BUCKET -> new TokenBucket(permits, periodNanos, burst);
      default ->
          throw new IllegalArgumentException(
              "must be one of " + ALGORITHMS + ": algorithm=" + algorithm);
    };
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
