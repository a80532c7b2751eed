package io.quotaenforcer.cli.text;

import java.util.Locale;

/** Numbers as a person reads them, in every locale alike. */
public final class Figures {
  private Figures() {}

  /** With commas between thousands. */
  public static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
  }

  /** Permits per period, such as {@code 300/1s}. */
  public static String limit(long permits, double periodSeconds) {
    String period =
        periodSeconds == Math.rint(periodSeconds)
            ? String.format(Locale.ROOT, "%.0f", periodSeconds)
            : String.valueOf(periodSeconds);
    return permits + "/" + period + "s";
  }
}
