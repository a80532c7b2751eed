package io.quotaenforcer.core.allotment;

import java.util.Collections;
import java.util.Iterator;
import java.util.function.Consumer;

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
   * @param look takes each
   * @return whether a round ended
   */
  boolean next(int most, Consumer<KeyAllotment> look) {
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
      look.accept(keys.next());
    }
    return !keys.hasNext() && !rules.hasNext();
  }
}
