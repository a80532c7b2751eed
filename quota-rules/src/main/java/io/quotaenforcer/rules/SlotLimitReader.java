package io.quotaenforcer.rules;

import static io.quotaenforcer.rules.LimitFields.CONCURRENT;
import static io.quotaenforcer.rules.LimitFields.MAX_HOLD;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code {concurrent: 20, max-hold: 60s}}. */
record SlotLimitReader(Problems problems, Scalars scalars) {
  private static final List<String> OWN = Spelling.names(LimitFields.OF_SLOTS);

  SlotLimitReader(Problems problems) {
    this(problems, new Scalars(problems));
  }

  /**
   * The limit of a rule, or of an override; null if something is wrong, which is reported.
   *
   * @param ofRule from which an override has its {@code max-hold}; null for the limit of a rule
   */
  @Nullable ConcurrencyLimit read(Fields fields, @Nullable ConcurrencyLimit ofRule) {
    Node given = fields.optional(CONCURRENT);
    boolean isAlone = given == null || isAlone(fields);
    Node slotsNode =
        fields.required(CONCURRENT, "give how many run at a time, such as concurrent: 20");
    Long slots =
        slotsNode == null ? null : scalars.number(slotsNode, CONCURRENT, 0, Limit.MAX_PERMITS);
    Long hold = maxHold(fields, ofRule);
    return slots == null || hold == null || !isAlone ? null : new ConcurrencyLimit(slots, hold);
  }

  /** Whether no term of another limit is given; if one is, that is reported. */
  private boolean isAlone(Fields fields) {
    boolean isAlone = true;
    for (String name : Spelling.names(LimitFields.SPELLINGS)) {
      Node other = OWN.contains(name) ? null : fields.optional(name);
      if (other != null) {
        problems.at(
            other, "%s has no meaning beside %s; remove one of them".formatted(name, CONCURRENT));
        isAlone = false;
      }
    }
    return isAlone;
  }

  private @Nullable Long maxHold(Fields fields, @Nullable ConcurrencyLimit ofRule) {
    if (ofRule != null) {
      return fields.value(MAX_HOLD, ofRule.maxHoldNanos(), this::duration);
    }
    Node node =
        fields.required(MAX_HOLD, "give how long a request runs at most, such as max-hold: 60s");
    return node == null ? null : duration(node, MAX_HOLD);
  }

  private @Nullable Long duration(Node node, String name) {
    return scalars.duration(
        node,
        name,
        Duration.ofNanos(ConcurrencyLimit.MIN_HOLD_NANOS),
        Duration.ofNanos(ConcurrencyLimit.MAX_HOLD_NANOS));
  }
}
