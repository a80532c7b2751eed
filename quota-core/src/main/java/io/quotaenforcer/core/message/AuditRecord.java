package io.quotaenforcer.core.message;

import java.util.Optional;

/**
 * Something that an operator changed through an enforcer, or that was not changed.
 *
 * @param atMillis when it was asked for, epoch milliseconds
 */
public record AuditRecord(long atMillis, Who who, What what, Result result) {
  /** Longest target, and longest reason. */
  public static final int MAX_TEXT_CHARS = 1_000;

  /**
   * Who asked.
   *
   * @param name of the token
   * @param role of the token
   * @param address of the caller, or of a proxy before the enforcer
   */
  public record Who(String name, String role, String address) {}

  /**
   * What was asked for.
   *
   * @param action in a word
   * @param target that it is about; cut where it is long
   */
  public record What(String action, String target) {
    public What {
      target = cut(target);
    }
  }

  /** How it ended. */
  public enum Outcome {
    DONE,
    /** Nothing was changed. */
    REFUSED,
    /** The reason says whether anything was changed. */
    FAILED
  }

  /**
   * What came of it.
   *
   * @param reason why not, or what the operator said; cut where it is long
   * @param change empty for what has no numbers
   */
  public record Result(Outcome outcome, String reason, Change change) {
    public Result {
      reason = cut(reason);
    }
  }

  /**
   * The numbers of a change.
   *
   * @param before version of a rule that was replaced
   * @param after version of a rule since then
   * @param count of what was changed; empty for one
   */
  public record Change(Optional<Long> before, Optional<Long> after, Optional<Long> count) {
    public static final Change NONE =
        new Change(Optional.empty(), Optional.empty(), Optional.empty());

    public static Change counting(long count) {
      return new Change(Optional.empty(), Optional.empty(), Optional.of(count));
    }
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS - 1) + "…";
  }
}
