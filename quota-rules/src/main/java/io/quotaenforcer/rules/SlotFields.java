package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.rules.RuleField.Reading;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The fields that a rule may have beside a limit on concurrent requests. */
final class SlotFields {
  private SlotFields() {}

  private static boolean isOfSlots(Reading reading) {
    return reading.ifRight(RuleFields.LIMIT) instanceof ConcurrencyLimit;
  }

  static @Nullable Enforcement enforcement(Reading reading, @Nullable Node node) {
    boolean ofSlots = isOfSlots(reading);
    if (node == null) {
      return ofSlots ? Enforcement.STRICT : Enforcement.BALANCED;
    }
    Enforcement given = reading.scalars().constant(node, "enforcement", Enforcement.values());
    if (ofSlots && given != null && given != Enforcement.STRICT) {
      reading
          .problems()
          .at(
              node,
              "limit.concurrent implies enforcement: strict, not %s; use strict, or leave it out"
                  .formatted(Words.of(given)));
      return null;
    }
    return given;
  }

  /** Whether a field may be given that has no meaning for slots; if not, that is reported. */
  static boolean isAllowed(Reading reading, Node node, String name) {
    boolean isAllowed = !isOfSlots(reading);
    if (!isAllowed) {
      reading
          .problems()
          .at(
              node,
              "%s has no meaning with limit.concurrent, where who comes first is served first; remove it"
                  .formatted(name));
    }
    return isAllowed;
  }

  static boolean isDeferralAllowed(Reading reading, Node node) {
    boolean isRefused =
        isOfSlots(reading) && node instanceof ScalarNode word && word.getValue().equals("defer");
    if (isRefused) {
      reading
          .problems()
          .at(
              node,
              "over-limit: defer has no meaning with limit.concurrent; use throttle, and have requests wait by enterAsync");
    }
    return !isRefused;
  }
}
