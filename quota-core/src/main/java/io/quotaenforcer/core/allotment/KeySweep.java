package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Goes round all keys that an instance holds, some at a time, so that a million of them hold nobody
 * up. Belongs to the owner of the book.
 */
final class KeySweep {
  private final HeldKeys held;
  private Iterator<Part> parts = Collections.emptyIterator();
  private Part part = new Part(Collections.emptyIterator(), QuotaKey::parse);

  /** Some keys of one rule. */
  private record Part(
      Iterator<Map.Entry<String, HeldKey>> keys, Function<String, QuotaKey> quotaKeyOf) {}

  KeySweep(HeldKeys held) {
    this.held = held;
  }

  /**
   * Looks at the next keys, at most so many; stops where a round ends.
   *
   * @param isOver whether a key need not be held any more
   * @param end takes those
   */
  void next(int most, Predicate<HeldKey> isOver, BiConsumer<QuotaKey, HeldKey> end) {
    for (int i = 0; i < most; i++) {
      while (!part.keys.hasNext()) {
        if (!parts.hasNext()) {
          parts = held.rules().stream().flatMap(KeySweep::partsOf).iterator();
          return;
        }
        part = parts.next();
      }
      Map.Entry<String, HeldKey> next = part.keys.next();
      if (isOver.test(next.getValue())) {
        end.accept(part.quotaKeyOf.apply(next.getKey()), next.getValue());
      }
    }
  }

  private static Stream<Part> partsOf(RuleKeys rule) {
    return Stream.of(
        new Part(rule.byValues(), value -> QuotaKey.of(rule.rule().id(), List.of(value))),
        new Part(rule.byTexts(), QuotaKey::parse));
  }
}
