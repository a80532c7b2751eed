package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;

/**
 * What tells a deferred request from all others: its quota key and the id that it was given, which
 * another quota key may have, too.
 */
public record DeferredId(QuotaKey quotaKey, String id) {
  private static final char BETWEEN = '\0';

  /** The id, a zero, the quota key: those with one id follow each other. */
  public String text() {
    return id + BETWEEN + quotaKey;
  }

  /** Where the texts of those with an id begin. */
  public static String from(String id) {
    return id + BETWEEN;
  }

  /** Where they end. */
  public static String to(String id) {
    return id + (char) (BETWEEN + 1);
  }

  /** Reads a text; an id may have zeros, a quota key has none. */
  public static DeferredId parse(String text) {
    int at = text.lastIndexOf(BETWEEN);
    if (at < 0) {
      throw new IllegalArgumentException("must be an id, a zero and a quota key: " + text);
    }
    return new DeferredId(QuotaKey.parse(text.substring(at + 1)), text.substring(0, at));
  }
}
