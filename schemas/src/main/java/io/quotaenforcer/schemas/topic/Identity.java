package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import java.nio.charset.StandardCharsets;

/**
 * Who a running client is.
 *
 * @param instance id of the instance; may be used again after a restart
 * @param epoch 64 random bits, new at each start
 */
public record Identity(String instance, long epoch) {

  /** Key of the snapshots that are meant for this epoch. */
  public byte[] snapshotKey() {
    return snapshotKey(instance, epoch);
  }

  /** Key of the snapshots that are meant for an epoch of an instance. */
  public static byte[] snapshotKey(String instance, long epoch) {
    return (instance + ":" + Long.toHexString(epoch)).getBytes(StandardCharsets.UTF_8);
  }

  /** Where this epoch hears answers to deferred requests. */
  public ReplyTo replyTo(int partitions) {
    return new ReplyTo(instance, epoch, replyPartition(partitions));
  }

  /** Partition of the snapshots topic in which this epoch hears answers. */
  public int replyPartition(int partitions) {
    return (int) Long.remainderUnsigned(epoch, partitions);
  }
}
