package io.quotaenforcer.enforcer.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/** The kinds of rows in the store of queues: the first byte of a row's key. */
public enum QueueRowKind {
  /** Text of a quota key → its queue, a {@link KeyQueueRow}. */
  QUEUE,
  /** A {@link DeferredId} → where the request waits, a {@link PlaceRow}. */
  PLACE,
  /** Time at which to look at a queue, and its quota key. */
  DUE,
  /** Time at which a request's deadline passes, and its {@link DeferredId}. */
  DEADLINE,
  /** Scope of a purge that is not done yet → its time and reason. */
  PURGE,
  /**
   * A day and a quota key → the newest numbers that were released on it, an {@link UnansweredRow}.
   */
  UNANSWERED;

  /** A row's key in the store. */
  public Bytes key(String text) {
    byte[] rest = text.getBytes(StandardCharsets.UTF_8);
    return Bytes.wrap(ByteBuffer.allocate(1 + rest.length).put((byte) ordinal()).put(rest).array());
  }

  /** The first key after those of this kind. */
  public Bytes end() {
    return Bytes.wrap(new byte[] {(byte) (ordinal() + 1)});
  }

  /** The text of a row's key. */
  public static String text(Bytes key) {
    return new String(key.get(), 1, key.get().length - 1, StandardCharsets.UTF_8);
  }
}
