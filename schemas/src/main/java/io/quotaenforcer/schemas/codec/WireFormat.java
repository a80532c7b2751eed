package io.quotaenforcer.schemas.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header before a record's Avro binary: it names the schema that the record was written with.
 *
 * <p>Avro's single-object encoding (Avro specification, "Single-object encoding"): {@code C3 01},
 * then the CRC-64-AVRO of the schema's parsing canonical form, little-endian. Confluent's wire
 * format: {@code 00}, then the schema's id in the registry, big-endian.
 */
final class WireFormat {
  static final int SINGLE_OBJECT_HEADER = 10;
  static final int REGISTRY_HEADER = 5;

  private static final byte REGISTRY_MAGIC = 0x00;
  private static final byte SINGLE_OBJECT_MAGIC = (byte) 0xC3;
  private static final byte SINGLE_OBJECT_VERSION = 0x01;

  private WireFormat() {}

  static boolean isSingleObject(byte[] bytes) {
    return bytes.length >= SINGLE_OBJECT_HEADER
        && bytes[0] == SINGLE_OBJECT_MAGIC
        && bytes[1] == SINGLE_OBJECT_VERSION;
  }

  static boolean isRegistry(byte[] bytes) {
    return bytes.length >= REGISTRY_HEADER && bytes[0] == REGISTRY_MAGIC;
  }

  static long readFingerprint(byte[] bytes) {
    return ByteBuffer.wrap(bytes, 2, Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  static int readId(byte[] bytes) {
    return ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt();
  }

  static byte[] singleObjectHeader(long fingerprint) {
    return ByteBuffer.allocate(SINGLE_OBJECT_HEADER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(SINGLE_OBJECT_MAGIC)
        .put(SINGLE_OBJECT_VERSION)
        .putLong(fingerprint)
        .array();
  }

  static byte[] registryHeader(int id) {
    return ByteBuffer.allocate(REGISTRY_HEADER).put(REGISTRY_MAGIC).putInt(id).array();
  }
}
