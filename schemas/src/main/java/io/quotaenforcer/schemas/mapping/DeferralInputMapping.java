package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.schemas.DeferralAction;
import io.quotaenforcer.schemas.DeferralCommand;
import io.quotaenforcer.schemas.DeferralInquiry;
import io.quotaenforcer.schemas.DeferredRequest;
import io.quotaenforcer.schemas.ReplayResult;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.nio.ByteBuffer;

/** Input of the queues of deferred requests, to and from the wire. */
public final class DeferralInputMapping {
  private DeferralInputMapping() {}

  public static WireRecord toRecord(DeferralInput input) {
    if (input instanceof DeferralInput.DeferredRequest request) {
      return toRecord(request);
    }
    if (input instanceof DeferralInput.Inquiry inquiry) {
      ReplyTo to = inquiry.replyTo();
      return new DeferralInquiry(
          inquiry.id(),
          inquiry.quotaKey().toString(),
          inquiry.deferredMillis(),
          to.instance(),
          to.epoch(),
          to.partition(),
          inquiry.release());
    }
    if (input instanceof DeferralInput.ReplayResult result) {
      return new ReplayResult(
          result.id(),
          result.quotaKey().toString(),
          result.done(),
          result.reason(),
          result.attempts(),
          result.release());
    }
    if (input instanceof DeferralInput.Cancel cancel) {
      return new DeferralCommand(
          DeferralAction.CANCEL, cancel.id(), cancel.quotaKey().toString(), cancel.reason());
    }
    if (input instanceof DeferralInput.Expedite expedite) {
      return new DeferralCommand(
          DeferralAction.EXPEDITE, expedite.id(), expedite.quotaKey().toString(), "");
    }
    DeferralInput.Purge purge = (DeferralInput.Purge) input;
    return new DeferralCommand(DeferralAction.PURGE, "", purge.scope(), purge.reason());
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static DeferralInput fromRecord(WireRecord record) {
    if (record instanceof DeferredRequest request) {
      return fromRecord(request);
    }
    if (record instanceof DeferralInquiry inquiry) {
      return new DeferralInput.Inquiry(
          inquiry.id(),
          QuotaKey.parse(inquiry.quotaKey()),
          inquiry.deferredMillis(),
          new ReplyTo(inquiry.instance(), inquiry.epoch(), inquiry.replyPartition()),
          inquiry.release());
    }
    if (record instanceof ReplayResult result) {
      return new DeferralInput.ReplayResult(
          result.id(),
          QuotaKey.parse(result.quotaKey()),
          result.done(),
          result.reason(),
          result.attempts(),
          result.release());
    }
    if (record instanceof DeferralCommand command) {
      return fromRecord(command);
    }
    throw new IllegalArgumentException(
        "must be told to queues of deferred requests: " + record.getClass().getSimpleName());
  }

  private static DeferredRequest toRecord(DeferralInput.DeferredRequest request) {
    ReplyTo to = request.replyTo();
    return new DeferredRequest(
        request.id(),
        request.quotaKey().toString(),
        request.request().attributes(),
        request.request().cost(),
        ByteBuffer.wrap(request.payload().toByteArray()),
        request.headers(),
        io.quotaenforcer.schemas.Priority.valueOf(request.priority().name()),
        request.deadlineMillis(),
        request.deferredMillis(),
        to.instance(),
        to.epoch(),
        to.partition());
  }

  private static DeferralInput.DeferredRequest fromRecord(DeferredRequest record) {
    return new DeferralInput.DeferredRequest(
        record.id(),
        QuotaKey.parse(record.quotaKey()),
        Request.received(record.attributes(), record.cost()),
        payload(record.payload()),
        record.headers(),
        Priority.valueOf(record.priority().name()),
        record.deadlineMillis(),
        record.deferredMillis(),
        new ReplyTo(record.instance(), record.epoch(), record.replyPartition()));
  }

  private static DeferralInput fromRecord(DeferralCommand command) {
    return switch (command.action()) {
      case CANCEL ->
          new DeferralInput.Cancel(command.id(), QuotaKey.parse(command.scope()), command.reason());
      case EXPEDITE -> new DeferralInput.Expedite(command.id(), QuotaKey.parse(command.scope()));
      case PURGE -> new DeferralInput.Purge(command.scope(), command.reason());
    };
  }

  static Payload payload(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Payload.of(copy);
  }
}
