package io.quotaenforcer.core.message;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.Set;

/**
 * What an instance says of its load once a second.
 *
 * @param domains whose rules decide at the instance, and may follow its load; empty for all
 * @param leaving whether the instance ends, and is not to be missed
 */
public record LoadReport(String instance, Set<String> domains, boolean leaving, LoadSignal signal) {
  /** Longest id of an instance. */
  public static final int MAX_CHARS = 200;

  /** Most domains. */
  public static final int MAX_DOMAINS = 100;

  public LoadReport {
    domains = Set.copyOf(domains);
    if (instance.isEmpty() || instance.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "must have 1 to %d characters: instance has %d".formatted(MAX_CHARS, instance.length()));
    }
    if (domains.size() > MAX_DOMAINS || !domains.stream().allMatch(RuleId::isName)) {
      throw new IllegalArgumentException(
          "must be at most %d names of domains: domains has %d"
              .formatted(MAX_DOMAINS, domains.size()));
    }
  }

  /** Whether rules of a domain follow it. */
  public boolean isOf(String domain) {
    return domains.isEmpty() || domains.contains(domain);
  }
}
