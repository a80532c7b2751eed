package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.schemas.CellGrant;
import io.quotaenforcer.schemas.QuotaAnswer;
import io.quotaenforcer.schemas.QuotaSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        answers(snapshot.quotas()));
  }

  /** Without streams: an enforcer does little else than this. */
  private static List<QuotaAnswer> answers(
      List<io.quotaenforcer.core.message.QuotaAnswer> answers) {
    List<QuotaAnswer> records = new ArrayList<>(answers.size());
    for (io.quotaenforcer.core.message.QuotaAnswer answer : answers) {
      records.add(toRecord(answer));
    }
    return records;
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static io.quotaenforcer.core.message.QuotaSnapshot fromRecord(QuotaSnapshot snapshot) {
    return new io.quotaenforcer.core.message.QuotaSnapshot(
        snapshot.instance(),
        snapshot.epoch(),
        snapshot.usagePartition(),
        snapshot.echoSentNanos(),
        snapshot.enforcerNanos(),
        fromRecords(snapshot.quotas()));
  }

  private static List<io.quotaenforcer.core.message.QuotaAnswer> fromRecords(
      List<QuotaAnswer> records) {
    List<io.quotaenforcer.core.message.QuotaAnswer> answers = new ArrayList<>(records.size());
    for (QuotaAnswer record : records) {
      answers.add(fromRecord(record));
    }
    return answers;
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
        cells(answer.cells()),
        answer.settled(),
        away(answer.bound()),
        answer.bound().expected(),
        answer.opening(),
        answer.openingUntilNanos(),
        answer.kept(),
        answer.penaltyUntilNanos(),
        answer.inForce().map(AdaptMapping::toRecord).orElse(null));
  }

  private static io.quotaenforcer.core.message.QuotaAnswer fromRecord(QuotaAnswer answer) {
    return new io.quotaenforcer.core.message.QuotaAnswer(
        QuotaKey.parse(answer.quotaKey()),
        answer.generation(),
        answer.limit(),
        answer.used(),
        answer.remaining(),
        answer.resetNanos(),
        answer.opening(),
        answer.openingUntilNanos(),
        bound(answer),
        answer.scarce(),
        answer.kept(),
        grants(answer.cells()),
        answer.settled(),
        answer.penaltyUntilNanos(),
        Optional.ofNullable(answer.inForce()).map(AdaptMapping::fromRecord));
  }

  private static List<CellGrant> cells(List<io.quotaenforcer.core.message.CellGrant> grants) {
    List<CellGrant> cells = new ArrayList<>(grants.size());
    for (io.quotaenforcer.core.message.CellGrant cell : grants) {
      cells.add(
          new CellGrant(
              cell.id(),
              cell.windowStartNanos(),
              cell.share().isShare() ? cell.share().filled() : cell.granted(),
              cell.validFromNanos(),
              cell.validUntilNanos(),
              cell.share().number(),
              cell.share().permits(),
              cell.share().burstMillis()));
    }
    return cells;
  }

  private static List<io.quotaenforcer.core.message.CellGrant> grants(List<CellGrant> cells) {
    List<io.quotaenforcer.core.message.CellGrant> grants = new ArrayList<>(cells.size());
    for (CellGrant cell : cells) {
      boolean isShare = cell.shareNumber() > 0;
      grants.add(
          new io.quotaenforcer.core.message.CellGrant(
              cell.id(),
              cell.windowStartNanos(),
              isShare ? 0 : cell.granted(),
              cell.validFromNanos(),
              cell.validUntilNanos(),
              new RateShare(
                  cell.shareNumber(),
                  cell.sharePermits(),
                  cell.shareBurstMillis(),
                  isShare ? cell.granted() : 0)));
    }
    return grants;
  }

  private static @Nullable Long away(DeclaredBound bound) {
    return bound.away().isPresent() ? bound.away().getAsLong() : null;
  }

  private static DeclaredBound bound(QuotaAnswer answer) {
    Long away = answer.boundAway();
    return new DeclaredBound(
        answer.bound(),
        away == null ? OptionalLong.empty() : OptionalLong.of(away),
        answer.expectedOver());
  }
}
