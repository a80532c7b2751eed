package io.quotaenforcer.gateway;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the limits of Envoy's configuration are in force as rules: one that is not, or counts by
 * other attributes, limits nothing. Safe for use by any number of threads.
 */
final class PublishedLimits {
  private static final Logger log = LoggerFactory.getLogger(PublishedLimits.class);
  private static final int SHOWN = 5;
  private static final String REMEDY =
      "publish them: quota rules import-envoy --for-gateway FILE --to rules.yaml, then quota rules"
          + " apply rules.yaml";

  private final GatewayLimits limits;
  private final Set<RuleId> late;
  private volatile Optional<RuleSet> looked = Optional.empty();
  private volatile Optional<String> missing = Optional.empty();

  /**
   * @param late rules that are charged after the request, of which there must be some, too
   */
  PublishedLimits(GatewayLimits limits, Set<RuleId> late) {
    this.limits = limits;
    this.late = late;
  }

  /** Which are not in force, and what to do; empty if all are. */
  Optional<String> missing(RuleSet rules) {
    if (looked.isEmpty() || looked.get() != rules) {
      missing = words(limits.rules().stream().filter(each -> isMissing(each, rules)));
      words(limits.rules().stream().filter(each -> isOther(each, rules)))
          .ifPresent(changed -> log.warn("rules differ from Envoy's configuration: {}", changed));
      List<RuleId> unknown = late.stream().filter(each -> rules.rule(each).isEmpty()).toList();
      if (!unknown.isEmpty()) {
        log.warn("envoy.late.charges names rules that are not in force: {}", unknown);
      }
      looked = Optional.of(rules);
    }
    return missing;
  }

  private static boolean isOther(Rule wanted, RuleSet rules) {
    return rules
        .rule(wanted.id())
        .filter(found -> !found.limit().equals(wanted.limit()))
        .isPresent();
  }

  /** A rule that counts by other attributes has no quota key for what the configuration counts. */
  private static boolean isMissing(Rule wanted, RuleSet rules) {
    return rules
        .rule(wanted.id())
        .filter(found -> found.key().size() == wanted.key().size())
        .isEmpty();
  }

  private static Optional<String> words(Stream<Rule> rules) {
    List<String> ids = rules.map(rule -> rule.id().toString()).sorted().toList();
    if (ids.isEmpty()) {
      return Optional.empty();
    }
    String shown = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
    String more = ids.size() > SHOWN ? " and " + (ids.size() - SHOWN) + " more" : "";
    return Optional.of(shown + more + "; " + REMEDY);
  }
}
