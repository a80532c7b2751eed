package io.quotaenforcer.core.hash;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Text that stands for a hashed value: {@code h.KEYID.HASH}, and while keys are rotated one for
 * each key, joined by {@code +}. The hash is 128 bits, in 22 characters of URL-safe Base64.
 */
public final class HashedText {
  /** Bytes of a hash: of two values that differ, the chance to have the same is 2^-128. */
  static final int HASH_BYTES = 16;

  private static final String BEGIN = "h.";
  private static final char JOIN = '+';
  private static final Pattern ONE =
      Pattern.compile("h\\.(" + HashKey.ID + ")\\.[A-Za-z0-9_-]{21}[AQgw]");
  private static final int LONGEST =
      HashKeys.MOST * (BEGIN.length() + HashKey.MAX_ID_CHARS + 1 + 22) + HashKeys.MOST - 1;

  private HashedText() {}

  static String of(String keyId, byte[] hash) {
    return BEGIN + keyId + '.' + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  /** The text that several hashes of one value travel as. */
  static String join(List<String> texts) {
    return String.join(String.valueOf(JOIN), texts);
  }

  /** The hashes in a text, each of another key; none if it is anything else. */
  public static List<String> split(String text) {
    if (!text.startsWith(BEGIN) || text.length() > LONGEST) {
      return List.of();
    }
    int join = text.indexOf(JOIN);
    if (join < 0) {
      return isOne(text) ? List.of(text) : List.of();
    }
    String first = text.substring(0, join);
    String second = text.substring(join + 1);
    return isOne(first) && isOne(second) && !keyId(first).equals(keyId(second))
        ? List.of(first, second)
        : List.of();
  }

  /** Whether a text is one hash. */
  public static boolean isOne(String text) {
    return ONE.matcher(text).matches();
  }

  /** The id of the key that one hash is by. */
  public static String keyId(String one) {
    return one.substring(BEGIN.length(), one.lastIndexOf('.'));
  }
}
