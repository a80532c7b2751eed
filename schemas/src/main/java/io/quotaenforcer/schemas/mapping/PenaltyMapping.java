package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.rule.PenaltyTerms;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Maps the penalty of a rule to and from the wire. */
final class PenaltyMapping {
  private PenaltyMapping() {}

  static io.quotaenforcer.schemas.@Nullable PenaltyTerms toRecord(Optional<PenaltyTerms> penalty) {
    return penalty
        .map(
            it ->
                new io.quotaenforcer.schemas.PenaltyTerms(
                    it.after(),
                    TimeUnit.NANOSECONDS.toMillis(it.withinNanos()),
                    TimeUnit.NANOSECONDS.toMillis(it.forNanos()),
                    it.factor(),
                    TimeUnit.NANOSECONDS.toMillis(it.upToNanos())))
        .orElse(null);
  }

  /** A number that is too large for nanoseconds becomes the largest, which is out of bounds. */
  static Optional<PenaltyTerms> fromRecord(io.quotaenforcer.schemas.@Nullable PenaltyTerms record) {
    return record == null
        ? Optional.empty()
        : Optional.of(
            Fields.read(
                "penalty",
                () ->
                    new PenaltyTerms(
                        record.after(),
                        TimeUnit.MILLISECONDS.toNanos(record.withinMillis()),
                        TimeUnit.MILLISECONDS.toNanos(record.forMillis()),
                        record.factor(),
                        TimeUnit.MILLISECONDS.toNanos(record.upToMillis()))));
  }
}
