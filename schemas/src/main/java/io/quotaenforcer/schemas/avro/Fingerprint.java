package io.quotaenforcer.schemas.avro;

import java.nio.charset.StandardCharsets;

/** CRC-64-AVRO (Avro specification, "Schema Fingerprints"). */
final class Fingerprint {
  private static final long EMPTY = 0xc15d213aa4d7a795L;
  private static final long[] TABLE = table();

  private Fingerprint() {}

  static long of(String text) {
    long fingerprint = EMPTY;
    for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
      fingerprint = (fingerprint >>> 8) ^ TABLE[(int) (fingerprint ^ next) & 0xFF];
    }
    return fingerprint;
  }

  private static long[] table() {
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      long value = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        value = (value >>> 1) ^ (EMPTY & -(value & 1));
      }
      table[i] = value;
    }
    return table;
  }
}
