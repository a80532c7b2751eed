package io.quotaenforcer.cli.doctor;

import java.util.Locale;

/**
 * One line of a diagnosis.
 *
 * @param text what is well; or what is wrong, and what to do about it
 */
public record Finding(Check check, Level level, String text) {
  /** What was looked at, in the order of the lines. */
  public enum Check {
    CONNECTION,
    BROKERS,
    TOPICS,
    RIGHTS,
    OFFSETS,
    REGISTRY,
    CLOCK,
    ENFORCERS,
    STANDBY,
    CLIENTS,
    LAG,
    DISK,
    RULES;

    /** Its name in lines. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How bad it is. */
  public enum Level {
    /** All is well. */
    OK,
    /** It works, and something about it is a risk, or could not be seen. */
    WARNING,
    /** Something does not work, or not as promised. */
    PROBLEM;

    /** Its name in lines. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static Finding ok(Check check, String text) {
    return new Finding(check, Level.OK, text);
  }

  public static Finding warning(Check check, String text) {
    return new Finding(check, Level.WARNING, text);
  }

  public static Finding problem(Check check, String text) {
    return new Finding(check, Level.PROBLEM, text);
  }
}
