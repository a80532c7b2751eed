package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;

/**
 * A request was not admitted, and so did not run. It has no stack trace: a service that is over its
 * limits throws many.
 */
public final class ThrottledException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Decision decision;

  /**
   * Says that a request was not admitted: for code that decides before it runs others' work.
   *
   * @param decision that does not admit
   */
  public ThrottledException(Decision decision) {
    super(text(decision), null, false, false);
    this.decision = decision;
  }

  /** The rule that had no room, and when to try again. */
  public Decision decision() {
    return decision;
  }

  private static String text(Decision decision) {
    return decision
        .rule()
        .map(
            rule ->
                "throttled by "
                    + rule.quotaKey().rule()
                    + decision
                        .retryAfter()
                        .map(after -> "; try again after " + after.toMillis() + " ms")
                        .orElse(""))
        .orElse("refused, since the rules are not known yet");
  }
}
