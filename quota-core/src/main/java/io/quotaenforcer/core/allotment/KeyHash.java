package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;

/**
 * 64 bits of a quota key's text, by SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast
 * short-input PRF", 2012): who does not know the secret cannot invent keys that share a hash.
 */
final class KeyHash {
  private static final int ROUNDS = 2;
  private static final int FINAL_ROUNDS = 4;
  private static final long FINAL = 0xff;

  private final long k0;
  private final long k1;

  KeyHash(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
  }

  long of(QuotaKey key) {
    return of(key.toString());
  }

  /**
   * The hash of a text.
   *
   * @param ascii of which each character is a byte
   */
  long of(String ascii) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    int last = ascii.length() / Long.BYTES;
    for (int i = 0; i <= last + 1; i++) {
      boolean isFinal = i > last;
      long word = isFinal ? 0 : word(ascii, i * Long.BYTES);
      v2 ^= isFinal ? FINAL : 0;
      v3 ^= word;
      for (int round = isFinal ? FINAL_ROUNDS : ROUNDS; round > 0; round--) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** Eight bytes, little-endian; the last word ends with the length. */
  private static long word(String ascii, int from) {
    int until = Math.min(from + Long.BYTES, ascii.length());
    long word = until < from + Long.BYTES ? (long) ascii.length() << (Long.SIZE - Byte.SIZE) : 0;
    for (int i = from; i < until; i++) {
      word |= (long) ascii.charAt(i) << Byte.SIZE * (i - from);
    }
    return word;
  }
}
