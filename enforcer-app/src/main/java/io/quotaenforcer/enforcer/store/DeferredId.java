package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;

/**
 * Identity of a deferred request: its quota key and the id given to it, which may also occur under
 * other quota keys.
 */
public record DeferredId(QuotaKey quotaKey, String id) {
  private static final char BETWEEN = '\0';

  /** The id, a zero, the quota key: those with one id follow each other. */
  public String text() {
    return id + BETWEEN + quotaKey;
  }

  /** Start of the range of texts with an id. */
  public static String from(String id) {
    return id + BETWEEN;
  }

  /** End of this range, exclusive. */
  public static String to(String id) {
    return id + (char) (BETWEEN + 1);
  }

  /** Parses the text form; an id may contain zero characters, a quota key cannot. */
  public static DeferredId parse(String text) {
    int at = text.lastIndexOf(BETWEEN);
    if (at < 0) {
      throw new IllegalArgumentException("must be an id, a zero and a quota key: " + text);
    }
    return new DeferredId(QuotaKey.parse(text.substring(at + 1)), text.substring(0, at));
  }
}
