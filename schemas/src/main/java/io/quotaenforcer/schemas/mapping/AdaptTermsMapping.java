package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.schemas.AdaptRecovery;
import io.quotaenforcer.schemas.AdaptServed;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How limits follow the load of a service, to and from the wire. */
final class AdaptTermsMapping {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(1);

  private AdaptTermsMapping() {}

  static io.quotaenforcer.schemas.@Nullable AdaptTerms toRecord(Optional<AdaptTerms> terms) {
    return terms
        .map(
            it ->
                new io.quotaenforcer.schemas.AdaptTerms(
                    it.steps().stream().map(AdaptTermsMapping::toRecord).toList(),
                    it.floorBasisPoints(),
                    it.ceilingBasisPoints(),
                    it.withoutSignalBasisPoints(),
                    millis(it.holdNanos()),
                    it.scope() == LoadScope.INSTANCE))
        .orElse(null);
  }

  private static io.quotaenforcer.schemas.AdaptStep toRecord(AdaptStep step) {
    return new io.quotaenforcer.schemas.AdaptStep(
        step.when().quantity().spelling(),
        step.when() instanceof LoadCondition.Above,
        step.when().bound(),
        millis(step.forNanos()),
        step.lowering() instanceof Lowering.To to ? to.basisPoints() : null,
        step.lowering() instanceof Lowering.By by ? by.basisPoints() : null,
        step.lowering() instanceof Lowering.ToServed served
            ? new AdaptServed(served.marginBasisPoints(), millis(served.drainNanos()))
            : null,
        toRecord(step.recovery()));
  }

  private static AdaptRecovery toRecord(Recovery recovery) {
    long every = millis(recovery.everyNanos());
    if (recovery instanceof Recovery.Growing growing) {
      return new AdaptRecovery(growing.basisPoints(), every, growing.mostBasisPoints());
    }
    return new AdaptRecovery(((Recovery.Even) recovery).basisPoints(), every, null);
  }

  static Optional<AdaptTerms> fromRecord(io.quotaenforcer.schemas.@Nullable AdaptTerms record) {
    if (record == null) {
      return Optional.empty();
    }
    List<AdaptStep> steps =
        Fields.required(record.steps(), "adapt.steps").stream()
            .map(AdaptTermsMapping::fromRecord)
            .toList();
    return Optional.of(
        Fields.read(
            "adapt",
            () ->
                new AdaptTerms(
                    record.byInstance() ? LoadScope.INSTANCE : LoadScope.SERVICE,
                    steps,
                    record.floorBasisPoints(),
                    record.ceilingBasisPoints(),
                    record.withoutSignalBasisPoints(),
                    nanos(record.holdMillis()),
                    1)));
  }

  private static AdaptStep fromRecord(io.quotaenforcer.schemas.AdaptStep record) {
    String quantity = Fields.required(record.quantity(), "adapt.steps.quantity");
    LoadQuantity of =
        LoadQuantity.spelled(quantity)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "must be a quantity of load: adapt.steps.quantity=" + quantity));
    AdaptRecovery recovery = Fields.required(record.recovery(), "adapt.steps.recovery");
    return Fields.read(
        "adapt.steps",
        () ->
            new AdaptStep(
                record.above()
                    ? new LoadCondition.Above(of, record.bound())
                    : new LoadCondition.Below(of, record.bound()),
                nanos(record.forMillis()),
                lowering(record),
                recovery(recovery)));
  }

  private static Lowering lowering(io.quotaenforcer.schemas.AdaptStep record) {
    Integer to = record.toBasisPoints();
    Integer by = record.byBasisPoints();
    AdaptServed served = record.served();
    int given = (to == null ? 0 : 1) + (by == null ? 0 : 1) + (served == null ? 0 : 1);
    Fields.check(
        given == 1,
        "must be exactly one of toBasisPoints, byBasisPoints and served",
        "given",
        given);
    if (to != null) {
      return new Lowering.To(to);
    }
    return by == null
        ? new Lowering.ToServed(served.marginBasisPoints(), nanos(served.drainMillis()))
        : new Lowering.By(by);
  }

  private static Recovery recovery(AdaptRecovery record) {
    Integer most = record.mostBasisPoints();
    long every = nanos(record.everyMillis());
    return most == null
        ? new Recovery.Even(record.basisPoints(), every)
        : new Recovery.Growing(record.basisPoints(), every, most);
  }

  private static long millis(long nanos) {
    Fields.check(
        nanos % NANOS_PER_MILLI == 0, "must be whole milliseconds", "adapt durations", nanos);
    return nanos / NANOS_PER_MILLI;
  }

  private static long nanos(long millis) {
    Fields.check(
        millis >= 0 && millis <= LONGEST_MILLIS, "must be 0 to a day", "adapt durations", millis);
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
