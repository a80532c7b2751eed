package io.quotaenforcer.core;

/**
 * The name of a rule: its domain and its id in the domain, written {@code domain/id}.
 *
 * @param domain namespace and owner of the rule
 * @param id unique in the domain
 */
public record RuleId(String domain, String id) implements Comparable<RuleId> {
  /** Longest domain, and longest id. */
  public static final int MAX_CHARS = 100;

  public RuleId {
    checkName("domain", domain);
    checkName("id", id);
  }

  /** Whether a text may be a domain or an id: 1 to 100 of {@code A-Z a-z 0-9 . _ -}. */
  public static boolean isName(String text) {
    if (text.isEmpty() || text.length() > MAX_CHARS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_'
              || c == '.';
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  /** Reads {@code domain/id}. */
  public static RuleId parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException("must be domain/rule-id: rule=" + text);
    }
    return new RuleId(text.substring(0, slash), text.substring(slash + 1));
  }

  private static void checkName(String what, String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException(
          "must be 1 to " + MAX_CHARS + " of A-Z a-z 0-9 . _ -: " + what + "=" + text);
    }
  }

  @Override
  public int compareTo(RuleId other) {
    int byDomain = domain.compareTo(other.domain);
    return byDomain != 0 ? byDomain : id.compareTo(other.id);
  }

  @Override
  public String toString() {
    return domain + "/" + id;
  }
}
