package io.quotaenforcer.core.hash;

import io.quotaenforcer.core.QuotaKey;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret, with a name, by which values are hashed: HMAC-SHA-256 (RFC 2104) of the value's UTF-8,
 * of which the first 128 bits are kept. Nobody who has not the secret can tell the value, or try
 * values. Immutable; shows its id only.
 */
public final class HashKey {
  /** Characters of an id, as in an expression. */
  static final String ID = "[A-Za-z0-9_-]{1,32}";

  static final int MAX_ID_CHARS = 32;

  /** Least bytes of a secret: as many as the hash function has, or it would be the weaker part. */
  public static final int MIN_BYTES = 32;

  /** Most bytes of a secret: of more, only a hash would count. */
  public static final int MAX_BYTES = 64;

  private static final String ALGORITHM = "HmacSHA256";

  private final String id;

  /** Is only ever cloned. */
  private final Mac keyed;

  /**
   * @param id 1 to 32 letters, digits, '_' or '-'
   * @param secret 32 to 64 random bytes
   */
  public HashKey(String id, byte[] secret) {
    if (!id.matches(ID)) {
      throw new IllegalArgumentException(
          "must be 1 to 32 letters, digits, '_' or '-': the id of a hash key");
    }
    if (secret.length < MIN_BYTES || secret.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "must have %d to %d bytes: hash key %s has %d"
              .formatted(MIN_BYTES, MAX_BYTES, id, secret.length));
    }
    this.id = id;
    try {
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  public String id() {
    return id;
  }

  /** The text that stands for a value: {@code h.ID.HASH}. */
  public String text(String value) {
    return HashedText.of(
        id, Arrays.copyOf(mac().doFinal(QuotaKey.octets(value)), HashedText.HASH_BYTES));
  }

  private Mac mac() {
    try {
      return (Mac) keyed.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's " + ALGORITHM + " can be cloned", e);
    }
  }

  /** Two keys are equal if they hash alike under the same id. */
  @Override
  public boolean equals(Object other) {
    return other instanceof HashKey that && text("").equals(that.text(""));
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "HashKey[" + id + "]";
  }
}
