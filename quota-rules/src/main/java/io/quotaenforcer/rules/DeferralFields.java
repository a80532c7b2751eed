package io.quotaenforcer.rules;

import static io.quotaenforcer.core.rule.OverLimit.Defer.DEFAULTS;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleField.Reading;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** The fields of {@code deferral}, and the part of {@code over-limit} about it. */
final class DeferralFields {
  private static final String THROTTLE = "throttle";
  private static final String DEFER = "defer";
  private static final long MOST = 1L << 50;

  private static final RuleField<Defer, Integer> REPLAY_SHARE =
      RuleField.optional(
          Spelling.<Defer>of("replay-share", defer -> Words.percent(defer.replayShareBasisPoints()))
              .doc(
                  "`0.01%` to `100%` of the limit that replays have while they wait and other"
                      + " requests want all of it",
                  "`20%`"),
          DEFAULTS.replayShareBasisPoints(),
          (reading, node, name) -> reading.scalars().percent(node, name, 1));

  private static final RuleField<Defer, Release> RELEASE =
      RuleField.word(
          "release",
          DEFAULTS.release(),
          Defer::release,
          "`as-quota-frees`, or `steady`: one after the other at the rate of the limit");

  private static final RuleField<Defer, Long> QUEUE_LENGTH =
      RuleField.optional(
          Spelling.<Defer>of("queue-length", defer -> Long.toString(defer.queueLength()))
              .doc("most requests that wait for one quota key", "`10000`"),
          DEFAULTS.queueLength(),
          (reading, node, name) -> reading.scalars().number(node, name, 1, MOST));

  private static final RuleField<Defer, Long> QUEUE_BYTES =
      RuleField.optional(
          Spelling.<Defer>of("queue-bytes", defer -> Words.bytes(defer.queueBytes()))
              .doc("most bytes of those; `64MiB`, or digits", "`64MiB`"),
          DEFAULTS.queueBytes(),
          (reading, node, name) -> reading.scalars().bytes(node, name, MOST));

  private static final RuleField<Defer, Long> UNACKNOWLEDGED =
      RuleField.optional(
          Spelling.<Defer>of("unacknowledged", defer -> Long.toString(defer.unacknowledged()))
              .doc(
                  "most replays of a quota key that are released and not acknowledged, 1 to 100,000",
                  "`16`"),
          (long) DEFAULTS.unacknowledged(),
          (reading, node, name) ->
              reading.scalars().number(node, name, 1, Defer.MAX_UNACKNOWLEDGED));

  private static final RuleField<Defer, OnDelete> ON_DELETE =
      RuleField.word(
          "on-delete",
          DEFAULTS.onDelete(),
          Defer::onDelete,
          "what becomes of waiting requests when the rule is deleted: `release`, `dead-letter`");

  private static final List<RuleField<Defer, ?>> ALL =
      List.of(REPLAY_SHARE, RELEASE, QUEUE_LENGTH, QUEUE_BYTES, UNACKNOWLEDGED, ON_DELETE);

  static final List<Spelling<Defer>> SPELLINGS = RuleField.spellings(ALL);

  private DeferralFields() {}

  static String word(Rule rule) {
    return rule.overLimit().defers() ? DEFER : THROTTLE;
  }

  static @Nullable OverLimit overLimit(
      Reading reading, Node node, @Nullable Enforcement enforcement) {
    String word = reading.scalars().word(node, "over-limit", List.of(THROTTLE, DEFER));
    if (word == null || !word.equals(DEFER)) {
      return word == null ? null : OverLimit.THROTTLE;
    }
    if (enforcement == Enforcement.PER_INSTANCE) {
      reading
          .problems()
          .at(
              node,
              "over-limit: defer needs a limit for all instances, not enforcement: per-instance;"
                  + " use strict or balanced");
      return null;
    }
    return DEFAULTS;
  }

  static @Nullable OverLimit deferral(
      Reading reading, @Nullable Node node, @Nullable OverLimit overLimit) {
    if (overLimit == null || node == null) {
      return overLimit;
    }
    if (!overLimit.defers()) {
      reading
          .problems()
          .at(node, "deferral is for over-limit: defer only; add that, or remove this");
      return null;
    }
    return read(node, reading.problems());
  }

  static String deferral(Rule rule) {
    return rule.overLimit() instanceof Defer defer ? Spelling.inBraces(SPELLINGS, defer) : "";
  }

  /** Null if something is wrong, which is reported. */
  private static @Nullable Defer read(Node node, Problems problems) {
    Fields given =
        Fields.of(node, "deferral must be a mapping such as {replay-share: 20%}", problems);
    if (given == null) {
      return null;
    }
    Reading read = Reading.of(given, ALL, problems);
    return read.isRight()
        ? new Defer(
            read.get(REPLAY_SHARE),
            read.get(RELEASE),
            read.get(QUEUE_LENGTH),
            read.get(QUEUE_BYTES),
            Math.toIntExact(read.get(UNACKNOWLEDGED)),
            read.get(ON_DELETE))
        : null;
  }
}
