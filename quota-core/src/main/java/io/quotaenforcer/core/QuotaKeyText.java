package io.quotaenforcer.core;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Text form of a value in a quota key: plain characters unchanged, the rest percent-encoded. Two
 * values never share a text, and a text in any other form is refused.
 *
 * <p>Bytes are those of UTF-8, extended to lone surrogates (WTF-8), which UTF-8 proper would all
 * turn into the same replacement character.
 */
final class QuotaKeyText {
  /** Begins the text of a hash; never the text of a value, where it is escaped. */
  private static final char HASH_MARK = '~';

  private static final String HASH_PREFIX = "sha256:";
  private static final int HASH_HEX_CHARS = 64;

  /** A hash that no value has, for all denied values. */
  static final String DENIED = HASH_PREFIX + "0".repeat(HASH_HEX_CHARS);

  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();
  private static final HexFormat LOWER_HEX = HexFormat.of();

  private QuotaKeyText() {}

  static String escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (!plain(value.charAt(i))) {
        return escapeFrom(value, i);
      }
    }
    return value;
  }

  /** Parses the output of {@link #escape} or {@link #ofHash}. */
  static String unescape(String text) {
    if (!text.isEmpty() && text.charAt(0) == HASH_MARK) {
      return unescapeHash(text);
    }
    if (text.indexOf('%') < 0) {
      return canonical(text, text);
    }
    StringBuilder value = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) != '%') {
        value.append(text.charAt(at++));
        continue;
      }
      int lead = octet(text, at);
      int octets = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      int codePoint = octets == 1 ? lead : lead & (0x7f >> octets);
      for (int i = 1; i < octets; i++) {
        codePoint = codePoint << 6 | (octet(text, at + 3 * i) & 0x3f);
      }
      if (codePoint > Character.MAX_CODE_POINT) {
        throw malformed(text);
      }
      value.appendCodePoint(codePoint);
      at += 3 * octets;
    }
    return canonical(value.toString(), text);
  }

  /** Replacement for a value too long for a key. */
  static String hash(String value) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes(value));
      return HASH_PREFIX + LOWER_HEX.formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** The text form of a {@link #hash} result. */
  static String ofHash(String hash) {
    return HASH_MARK + hash.substring(HASH_PREFIX.length());
  }

  /** Whether a value may be a result of {@link #hash}. */
  static boolean looksHashed(String value) {
    return value.length() == HASH_PREFIX.length() + HASH_HEX_CHARS && value.startsWith(HASH_PREFIX);
  }

  /** Whether a text is a result of {@link #ofHash}. */
  static boolean isHash(String text) {
    return !text.isEmpty() && text.charAt(0) == HASH_MARK;
  }

  private static String unescapeHash(String text) {
    if (text.length() != HASH_HEX_CHARS + 1) {
      throw malformed(text);
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
        throw malformed(text);
      }
    }
    return HASH_PREFIX + text.substring(1);
  }

  private static String escapeFrom(String value, int firstEscaped) {
    StringBuilder text = new StringBuilder(value.length() * 2).append(value, 0, firstEscaped);
    int at = firstEscaped;
    while (at < value.length()) {
      int codePoint = value.codePointAt(at);
      if (plain(codePoint)) {
        text.append((char) codePoint);
      } else {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(4);
        write(codePoint, octets);
        for (byte octet : octets.toByteArray()) {
          UPPER_HEX.toHexDigits(text.append('%'), octet);
        }
      }
      at += Character.charCount(codePoint);
    }
    return text.toString();
  }

  static byte[] bytes(String value) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(value.length() + 16);
    value.codePoints().forEach(codePoint -> write(codePoint, octets));
    return octets.toByteArray();
  }

  private static void write(int codePoint, ByteArrayOutputStream octets) {
    if (codePoint < 0x80) {
      octets.write(codePoint);
    } else if (codePoint < 0x800) {
      octets.write(0xc0 | codePoint >> 6);
      octets.write(0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      octets.write(0xe0 | codePoint >> 12);
      octets.write(0x80 | (codePoint >> 6 & 0x3f));
      octets.write(0x80 | (codePoint & 0x3f));
    } else {
      octets.write(0xf0 | codePoint >> 18);
      octets.write(0x80 | (codePoint >> 12 & 0x3f));
      octets.write(0x80 | (codePoint >> 6 & 0x3f));
      octets.write(0x80 | (codePoint & 0x3f));
    }
  }

  private static int octet(String text, int at) {
    if (at + 3 > text.length()
        || text.charAt(at) != '%'
        || !HexFormat.isHexDigit(text.charAt(at + 1))
        || !HexFormat.isHexDigit(text.charAt(at + 2))) {
      throw malformed(text);
    }
    return HexFormat.fromHexDigits(text, at + 1, at + 3);
  }

  /** Writing the value again catches every other way of spelling it. */
  private static String canonical(String value, String text) {
    if (!escape(value).equals(text)) {
      throw malformed(text);
    }
    return value;
  }

  private static boolean plain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_'
        || c == '.';
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException("must be percent-encoded as a quota key is: value=" + text);
  }
}
