package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * A record cut to fit into a dead letter, which adds headers and must not exceed the size limit of
 * a record. A record close to that limit keeps only its beginning, with {@code cut-from}, the
 * length of its whole value in bytes, and their {@code sha256}; headers and key are left out where
 * they are large themselves.
 */
final class FittedRecord {
  static final String CUT_FROM = "cut-from";
  static final String SHA_256 = "sha256";

  /** Leaves room for a letter's headers and the overhead of a batch of records. */
  private static final int MOST_BYTES = Topics.MAX_RECORD_BYTES - (128 << 10);

  private static final int MOST_BYTES_BESIDE = 256 << 10;

  /** Most bytes that a record spends on the lengths of a header's key and value. */
  private static final int BYTES_OF_LENGTHS = 10;

  private FittedRecord() {}

  static Record<byte[], byte[]> of(Record<byte[], byte[]> record) {
    int keyBytes = length(record.key());
    long headerBytes = bytes(record.headers());
    byte[] value = record.value();
    if (keyBytes + headerBytes + length(value) <= MOST_BYTES) {
      return record;
    }
    boolean keepsHeaders = headerBytes <= MOST_BYTES_BESIDE;
    boolean keepsKey = keyBytes <= MOST_BYTES_BESIDE;
    Headers headers = keepsHeaders ? new RecordHeaders(record.headers()) : new RecordHeaders();
    long room = MOST_BYTES - (keepsHeaders ? headerBytes : 0) - (keepsKey ? keyBytes : 0);
    byte @Nullable [] kept = value;
    DeadLetter.add(headers, CUT_FROM, Integer.toString(length(value)));
    if (value != null) {
      DeadLetter.add(headers, SHA_256, sha256(value));
      kept = Arrays.copyOf(value, (int) Math.min(value.length, room));
    }
    return new Record<>(keepsKey ? record.key() : null, kept, record.timestamp(), headers);
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static long bytes(Headers headers) {
    long bytes = 0;
    for (Header header : headers) {
      int key = header.key().getBytes(StandardCharsets.UTF_8).length;
      bytes += BYTES_OF_LENGTHS + key + length(header.value());
    }
    return bytes;
  }

  private static String sha256(byte[] value) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
