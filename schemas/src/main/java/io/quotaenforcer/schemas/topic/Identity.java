package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import java.nio.charset.StandardCharsets;

/**
 * Identity of a running client.
 *
 * @param instance id of the instance; may be reused after a restart
 * @param epoch 64 random bits, new at each start
 */
public record Identity(String instance, long epoch) {

  /** Key of the snapshots for this epoch. */
  public byte[] snapshotKey() {
    return snapshotKey(instance, epoch);
  }

  /** Key of the snapshots for an epoch of an instance. */
  public static byte[] snapshotKey(String instance, long epoch) {
    return (instance + ":" + Long.toHexString(epoch)).getBytes(StandardCharsets.UTF_8);
  }

  /** Address for answers to this epoch's deferred requests. */
  public ReplyTo replyTo(int partitions) {
    return new ReplyTo(instance, epoch, replyPartition(partitions));
  }

  /** Partition of the snapshots topic in which this epoch receives answers. */
  public int replyPartition(int partitions) {
    return (int) Long.remainderUnsigned(epoch, partitions);
  }
}
