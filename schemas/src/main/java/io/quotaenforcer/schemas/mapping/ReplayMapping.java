package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.schemas.Replay;
import java.nio.ByteBuffer;

/** Released requests, to and from the wire. */
public final class ReplayMapping {
  private ReplayMapping() {}

  public static Replay toRecord(io.quotaenforcer.core.message.Replay replay) {
    return new Replay(
        replay.id(),
        replay.quotaKey().toString(),
        replay.request().attributes(),
        replay.request().cost(),
        ByteBuffer.wrap(replay.payload().toByteArray()),
        replay.headers(),
        io.quotaenforcer.schemas.Priority.valueOf(replay.priority().name()),
        replay.deadlineMillis(),
        replay.deferredMillis(),
        replay.paid().stream().map(QuotaKey::toString).toList(),
        replay.paidNanos(),
        replay.windowStartNanos(),
        replay.number(),
        replay.release());
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static io.quotaenforcer.core.message.Replay fromRecord(Replay record) {
    return new io.quotaenforcer.core.message.Replay(
        record.id(),
        QuotaKey.parse(record.quotaKey()),
        Request.received(record.attributes(), record.cost()),
        DeferralInputMapping.payload(record.payload()),
        record.headers(),
        Priority.valueOf(record.priority().name()),
        record.deferredMillis(),
        record.deadlineMillis(),
        record.paid().stream().map(QuotaKey::parse).toList(),
        record.paidNanos(),
        record.windowStartNanos(),
        record.number(),
        record.release());
  }
}
