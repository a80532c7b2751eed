package io.quotaenforcer.core.match;

import java.util.regex.Pattern;

/**
 * A text that may be read only a bounded number of times: an expression such as {@code (a+)+b}
 * reads a hostile value exponentially often before it gives up.
 */
final class StepLimitedText implements CharSequence {
  /** About a millisecond; a match without backtracking reads each character once or twice. */
  static final int MAX_STEPS = 200_000;

  /** Made with the class: where it is thrown, the stack may be too full to make it. */
  private static final TooManySteps TOO_MANY_STEPS = new TooManySteps();

  private final String text;
  private int steps;

  private StepLimitedText(String text) {
    this.text = text;
  }

  /** Whether the whole text matches, if the steps and the stack suffice to tell. */
  static Answer test(Pattern pattern, String text) {
    try {
      return Answer.of(pattern.matcher(new StepLimitedText(text)).matches());
    } catch (TooManySteps | StackOverflowError e) {
      return Answer.GIVEN_UP;
    }
  }

  @Override
  public char charAt(int index) {
    if (++steps > MAX_STEPS) {
      throw TOO_MANY_STEPS;
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }

  private static final class TooManySteps extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManySteps() {
      super("too many steps", null, false, false);
    }
  }
}
