package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.schemas.Algorithm;
import io.quotaenforcer.schemas.CalendarPeriod;
import io.quotaenforcer.schemas.CalendarUnit;
import io.quotaenforcer.schemas.LimitSpec;
import io.quotaenforcer.schemas.Refill;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Limits, to and from the wire. */
final class LimitMapping {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private LimitMapping() {}

  static LimitSpec toRecord(Limit limit) {
    LimitTerms terms = limit.terms();
    boolean bucket = terms.algorithm() == io.quotaenforcer.core.algorithm.Algorithm.TOKEN_BUCKET;
    boolean greedy = terms.refill() == LimitTerms.Refill.GREEDY;
    return new LimitSpec(
        Algorithm.valueOf(terms.algorithm().name()),
        terms.permits(),
        terms.windows() instanceof Windows.Aligned aligned
            ? millis(aligned.periodNanos(), "periodNanos")
            : 0L,
        terms.burst(),
        terms.windows() instanceof Windows.Calendar calendar ? toRecord(calendar) : null,
        bucket && terms.initial() != terms.burst() ? terms.initial() : null,
        greedy ? null : Refill.valueOf(terms.refill().name()),
        millis(terms.warmUpNanos(), "warmUpNanos"),
        terms.slots(),
        terms.countThrottled(),
        millis(terms.maxHoldNanos(), "maxHoldNanos"));
  }

  /**
   * Reads a limit.
   *
   * @param field path of the record within its rule
   */
  static Limit fromRecord(LimitSpec spec, String field) {
    Algorithm algorithm = Fields.required(spec.algorithm(), field + ".algorithm");
    return Fields.read(field, () -> terms(spec, algorithm, field).toLimit());
  }

  private static LimitTerms terms(LimitSpec spec, Algorithm algorithm, String field) {
    LimitTerms terms =
        LimitTerms.of(
                io.quotaenforcer.core.algorithm.Algorithm.valueOf(algorithm.name()),
                spec.permits(),
                windows(spec, field))
            .withBurst(spec.burst())
            .withWarmUp(nanos(spec.warmUpMillis(), field + ".warmUpMillis"))
            .withSlots(spec.slots())
            .withCountThrottled(spec.countThrottled())
            .withMaxHold(nanos(spec.maxHoldMillis(), field + ".maxHoldMillis"));
    Long initial = spec.initial();
    Refill refill = spec.refill();
    LimitTerms filled = initial == null ? terms : terms.withInitial(initial);
    return refill == null ? filled : filled.withRefill(LimitTerms.Refill.valueOf(refill.name()));
  }

  private static Windows windows(LimitSpec spec, String field) {
    CalendarPeriod calendar = spec.calendar();
    if (calendar == null) {
      return new Windows.Aligned(nanos(spec.periodMillis(), field + ".periodMillis"));
    }
    Fields.check(
        spec.periodMillis() == 0,
        "must be 0 beside a calendar",
        field + ".periodMillis",
        spec.periodMillis());
    CalendarUnit unit = Fields.required(calendar.unit(), field + ".calendar.unit");
    return new Windows.Calendar(
        Windows.CalendarUnit.valueOf(unit.name()),
        zone(Fields.required(calendar.zone(), field + ".calendar.zone")));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be a time zone that this Java knows, such as Europe/Berlin: zone=" + name, e);
    }
  }

  private static CalendarPeriod toRecord(Windows.Calendar calendar) {
    return new CalendarPeriod(
        CalendarUnit.valueOf(calendar.unit().name()), calendar.zone().getId());
  }

  private static long nanos(long millis, String field) {
    Fields.check(
        millis >= 0 && millis <= Limit.MAX_PERIOD_NANOS / NANOS_PER_MILLI,
        "must be between 0 and 400 days",
        field,
        millis);
    return millis * NANOS_PER_MILLI;
  }

  private static long millis(long nanos, String name) {
    if (nanos % NANOS_PER_MILLI != 0) {
      throw new IllegalArgumentException("must be whole milliseconds: " + name + "=" + nanos);
    }
    return nanos / NANOS_PER_MILLI;
  }
}
