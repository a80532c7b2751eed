package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.schemas.DeferralSpec;
import io.quotaenforcer.schemas.OnDelete;
import io.quotaenforcer.schemas.Release;
import org.jspecify.annotations.Nullable;

/** A rule's choice for requests over its limit, to and from the wire. */
final class DeferralSpecMapping {
  private DeferralSpecMapping() {}

  static @Nullable DeferralSpec toRecord(OverLimit overLimit) {
    return overLimit instanceof OverLimit.Defer defer
        ? new DeferralSpec(
            defer.replayShareBasisPoints(),
            Release.valueOf(defer.release().name()),
            defer.queueLength(),
            defer.queueBytes(),
            defer.unacknowledged(),
            OnDelete.valueOf(defer.onDelete().name()))
        : null;
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  static OverLimit fromRecord(
      io.quotaenforcer.schemas.OverLimit overLimit, @Nullable DeferralSpec record) {
    boolean defers = overLimit == io.quotaenforcer.schemas.OverLimit.DEFER;
    Fields.check(
        defers || record == null, "must be null unless overLimit is DEFER", "deferral", record);
    if (!defers) {
      return OverLimit.THROTTLE;
    }
    if (record == null) {
      return OverLimit.Defer.DEFAULTS;
    }
    return Fields.read(
        "deferral",
        () ->
            new OverLimit.Defer(
                record.replayShareBasisPoints(),
                OverLimit.Release.valueOf(Fields.required(record.release(), "release").name()),
                record.queueLength(),
                record.queueBytes(),
                record.unacknowledged(),
                OverLimit.OnDelete.valueOf(Fields.required(record.onDelete(), "onDelete").name())));
  }
}
