package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.schemas.CellGrant;
import io.quotaenforcer.schemas.QuotaAnswer;
import io.quotaenforcer.schemas.QuotaSnapshot;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Quota snapshots, to and from the wire. */
public final class QuotaSnapshotMapping {
  private QuotaSnapshotMapping() {}

  public static QuotaSnapshot toRecord(io.quotaenforcer.core.message.QuotaSnapshot snapshot) {
    return new QuotaSnapshot(
        snapshot.instance(),
        snapshot.epoch(),
        snapshot.usagePartition(),
        snapshot.echoSentNanos(),
        snapshot.enforcerNanos(),
        snapshot.quotas().stream().map(QuotaSnapshotMapping::toRecord).toList());
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static io.quotaenforcer.core.message.QuotaSnapshot fromRecord(QuotaSnapshot snapshot) {
    return new io.quotaenforcer.core.message.QuotaSnapshot(
        snapshot.getInstance(),
        snapshot.getEpoch(),
        snapshot.getUsagePartition(),
        snapshot.getEchoSentNanos(),
        snapshot.getEnforcerNanos(),
        snapshot.getQuotas().stream().map(QuotaSnapshotMapping::fromRecord).toList());
  }

  private static QuotaAnswer toRecord(io.quotaenforcer.core.message.QuotaAnswer answer) {
    return new QuotaAnswer(
        answer.quotaKey().toString(),
        answer.generation(),
        answer.limit(),
        answer.used(),
        answer.remaining(),
        answer.resetNanos(),
        answer.bound().connected(),
        answer.scarce(),
        answer.cells().stream()
            .map(
                cell ->
                    new CellGrant(
                        cell.id(),
                        cell.windowStartNanos(),
                        cell.granted(),
                        cell.validFromNanos(),
                        cell.validUntilNanos(),
                        cell.share().number(),
                        cell.share().permits(),
                        cell.share().burstMillis()))
            .toList(),
        answer.settled(),
        away(answer.bound()),
        answer.bound().expected());
  }

  private static io.quotaenforcer.core.message.QuotaAnswer fromRecord(QuotaAnswer answer) {
    return new io.quotaenforcer.core.message.QuotaAnswer(
        QuotaKey.parse(answer.getQuotaKey()),
        answer.getGeneration(),
        answer.getLimit(),
        answer.getUsed(),
        answer.getRemaining(),
        answer.getResetNanos(),
        bound(answer),
        answer.getScarce(),
        answer.getCells().stream()
            .map(
                cell ->
                    new io.quotaenforcer.core.message.CellGrant(
                        cell.getId(),
                        cell.getWindowStartNanos(),
                        cell.getGranted(),
                        cell.getValidFromNanos(),
                        cell.getValidUntilNanos(),
                        new RateShare(
                            cell.getShareNumber(),
                            cell.getSharePermits(),
                            cell.getShareBurstMillis())))
            .toList(),
        answer.getSettled());
  }

  private static @Nullable Long away(DeclaredBound bound) {
    return bound.away().isPresent() ? bound.away().getAsLong() : null;
  }

  private static DeclaredBound bound(QuotaAnswer answer) {
    Long away = answer.getBoundAway();
    return new DeclaredBound(
        answer.getBound(),
        away == null ? OptionalLong.empty() : OptionalLong.of(away),
        answer.getExpectedOver());
  }
}
