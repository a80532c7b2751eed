package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Answer;
import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/**
 * One of the classes that a rule's requests are of. Immutable.
 *
 * @param match conditions on attributes, all of which must hold; empty for requests of no other
 *     class
 * @param reserveBasisPoints of the limit, what is kept for this class from the classes below it, in
 *     hundredths of a percent
 * @param upToBasisPoints of the limit, what may be used in all before this class gets no more, in
 *     hundredths of a percent
 */
public record DemandClass(
    String name, Map<String, Matcher> match, int reserveBasisPoints, int upToBasisPoints) {
  /** All of the limit. */
  public static final int WHOLE = 10_000;

  /**
   * Requests that borrow of the rule. No conditions make a request be of this class, and no rule
   * declares it: a rule has it last for as long as another one {@linkplain Elastic borrows} of it.
   */
  public static final DemandClass BORROWED = of("borrowed", Map.of());

  /** All other requests of a rule that declares no classes, while another one borrows of it. */
  static final DemandClass NOMINAL = of("nominal", Map.of());

  public DemandClass {
    match = Map.copyOf(match);
    check(reserveBasisPoints, 0, "reserveBasisPoints");
    check(upToBasisPoints, 1, "upToBasisPoints");
  }

  /** A class that nothing is kept for, and that may use all of the limit. */
  public static DemandClass of(String name, Map<String, Matcher> match) {
    return new DemandClass(name, match, 0, WHOLE);
  }

  private static void check(int basisPoints, int least, String name) {
    if (basisPoints < least || basisPoints > WHOLE) {
      throw new IllegalArgumentException(
          "must be between %d and %d: %s=%d".formatted(least, WHOLE, name, basisPoints));
    }
  }

  /** A condition that is given up does not hold: an awkward value makes no request come first. */
  boolean matches(Map<String, String> attributes) {
    for (Map.Entry<String, Matcher> condition : match.entrySet()) {
      if (condition.getValue().test(attributes.get(condition.getKey())) != Answer.YES) {
        return false;
      }
    }
    return true;
  }
}
