package io.quotaenforcer.core;

/**
 * The name of a rule: its domain and its id in the domain, written {@code domain/id}.
 *
 * @param domain namespace and owner of the rule
 * @param id unique in the domain
 */
public record RuleId(String domain, String id) implements Comparable<RuleId> {

  /** Reads {@code domain/id}. */
  public static RuleId parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException("must be domain/rule-id: rule=" + text);
    }
    return new RuleId(text.substring(0, slash), text.substring(slash + 1));
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
