package io.quotaenforcer.core.allotment;

import java.util.Collections;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Goes round all keys that an instance has objects for, some at a time, so that a million of them
 * hold nobody up. Belongs to the owner of the book.
 */
final class KeySweep {
  private final HeldKeys held;
  private Iterator<RuleKeys> rules = Collections.emptyIterator();
  private Iterator<KeyAllotment> keys = Collections.emptyIterator();

  KeySweep(HeldKeys held) {
    this.held = held;
  }

  /**
   * Looks at the next keys, at most {@code most} of them; stops where a round ends.
   *
   * @param isOver whether a key need not be held any more
   * @param end takes those
   * @return whether a round ended
   */
  boolean next(int most, Predicate<KeyAllotment> isOver, Consumer<KeyAllotment> end) {
    if (!keys.hasNext() && !rules.hasNext()) {
      rules = held.rules().iterator();
    }
    for (int i = 0; i < most; i++) {
      while (!keys.hasNext()) {
        if (!rules.hasNext()) {
          return true;
        }
        keys = rules.next().iterator();
      }
      KeyAllotment next = keys.next();
      if (isOver.test(next)) {
        end.accept(next);
      }
    }
    return !keys.hasNext() && !rules.hasNext();
  }
}
