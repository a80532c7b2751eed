package io.quotaenforcer.core.hash;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Hash keys as they are written: {@code ID:BASE64}, one in a line or with commas between them, the
 * older one first. What follows a {@code #} at the beginning of a line is a comment.
 */
public final class HashKeyText {
  private static final String MAKE = "; make one with: quota hash --generate ID";

  /** Longest text that is read: no keys are longer, and a file of anything may be given. */
  public static final int MAX_CHARS = 10_000;

  private HashKeyText() {}

  /**
   * Reads keys.
   *
   * @throws IllegalArgumentException that says where it is wrong and what to do, and never quotes
   *     what may be a secret
   */
  public static HashKeys parse(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "has more than %d characters, so it is no hash key%s".formatted(MAX_CHARS, MAKE));
    }
    List<HashKey> keys = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int line = 0; line < lines.length; line++) {
      if (!lines[line].startsWith("#")) {
        parseLine(lines[line], line + 1, keys);
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("has no hash key" + MAKE);
    }
    return HashKeys.of(keys);
  }

  /** One key as it is written. */
  public static String write(String id, byte[] secret) {
    new HashKey(id, secret);
    return id + ':' + Base64.getEncoder().encodeToString(secret);
  }

  private static void parseLine(String line, int number, List<HashKey> to) {
    int begin = 0;
    while (begin <= line.length()) {
      int comma = line.indexOf(',', begin);
      int end = comma < 0 ? line.length() : comma;
      String one = line.substring(begin, end);
      if (!one.isBlank()) {
        int column = begin + one.length() - one.stripLeading().length() + 1;
        HashKey key = parseOne(one.strip(), number, column);
        if (to.stream().anyMatch(known -> known.id().equals(key.id()))) {
          throw at(number, column, "the id " + key.id() + " is there twice; give each its own");
        }
        if (to.size() == HashKeys.MOST) {
          throw at(
              number,
              column,
              "there may be two hash keys, the old and the new one; remove those that no instance"
                  + " counts by any more");
        }
        to.add(key);
      }
      begin = end + 1;
    }
  }

  private static HashKey parseOne(String text, int line, int column) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw at(line, column, "a hash key is written ID:BASE64" + MAKE);
    }
    String id = text.substring(0, colon);
    if (!id.matches(HashKey.ID)) {
      throw at(
          line,
          column,
          "the id of a hash key is 1 to 32 letters, digits, '_' or '-'; give it one, as a date");
    }
    byte[] secret;
    try {
      secret = Base64.getDecoder().decode(text.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      throw at(line, column + colon + 1, "the hash key " + id + " is not Base64" + MAKE);
    }
    if (secret.length < HashKey.MIN_BYTES || secret.length > HashKey.MAX_BYTES) {
      throw at(
          line,
          column + colon + 1,
          "the hash key %s has %d bytes, and must have %d to %d%s"
              .formatted(id, secret.length, HashKey.MIN_BYTES, HashKey.MAX_BYTES, MAKE));
    }
    return new HashKey(id, secret);
  }

  private static IllegalArgumentException at(int line, int column, String what) {
    return new IllegalArgumentException("line %d, column %d: %s".formatted(line, column, what));
  }
}
