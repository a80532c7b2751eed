package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.PermitsPerPeriod;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Rules as counters of descriptors, for domains that no configuration of Envoy's service describes.
 * A descriptor is counted by a rule that names exactly its keys, in {@code match} or {@code key}:
 * of several that match, by the one with the most values given, then the first by its id. Safe for
 * use by any number of threads.
 */
final class DomainRules {
  private static final Comparator<Rule> ORDER =
      Comparator.comparingLong(DomainRules::given).reversed().thenComparing(Rule::id);

  private final Supplier<RuleSet> rules;
  private volatile Index index;

  /** Rules by domain and by the attributes that they name. */
  private record Index(RuleSet rules, Map<String, Map<Set<String>, List<Rule>>> byNames) {}

  /**
   * @param rules in force; the same object as long as they are the same
   */
  private static final HashKeys ANY_KEYS = HashKeys.ofProcess(new SecureRandom());

  DomainRules(Supplier<RuleSet> rules) {
    this.rules = rules;
    this.index = index(rules.get());
  }

  private static Index index(RuleSet rules) {
    Map<String, Map<Set<String>, List<Rule>>> byNames = new HashMap<>();
    for (Rule rule : rules.rules()) {
      byNames
          .computeIfAbsent(rule.id().domain(), domain -> new HashMap<>())
          .computeIfAbsent(names(rule), names -> new ArrayList<>())
          .add(rule);
    }
    byNames.values().forEach(each -> each.values().forEach(list -> list.sort(ORDER)));
    return new Index(rules, byNames);
  }

  private static Set<String> names(Rule rule) {
    Set<String> names = new HashSet<>(rule.key().names());
    rule.match()
        .forEach(
            (name, matcher) -> {
              if (!(matcher instanceof Matcher.Absent)) {
                names.add(name);
              }
            });
    return names;
  }

  private static long given(Rule rule) {
    return rule.match().values().stream().filter(Matcher.Exact.class::isInstance).count();
  }

  /**
   * The rule and values that a descriptor counts by.
   *
   * @param keys of its entries; of one that occurs twice, the last value counts
   * @param wanted that the rule must fulfil besides
   */
  Optional<Counted> find(
      String domain, List<String> keys, List<String> values, Predicate<Rule> wanted) {
    Map<Set<String>, List<Rule>> ofDomain = current().byNames.get(domain);
    if (ofDomain == null) {
      return Optional.empty();
    }
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      attributes.put(keys.get(i), values.get(i));
    }
    Request request = new Request(attributes, 1);
    for (Rule rule : ofDomain.getOrDefault(attributes.keySet(), List.of())) {
      // For the limit: a handle hashes values itself, by the keys of the client.
      Optional<QuotaKey> key =
          wanted.test(rule) ? rule.quotaKey(request, ANY_KEYS) : Optional.empty();
      if (key.isPresent()) {
        PermitsPerPeriod limit = rule.limitOf(key.get());
        return Optional.of(
            new Counted(
                Optional.of(rule.id()),
                rule.key().names().stream().map(attributes::get).toList(),
                limit.permits(),
                limit.periodNanos(),
                Optional.empty()));
      }
    }
    return Optional.empty();
  }

  private Index current() {
    Index known = index;
    RuleSet newest = rules.get();
    if (known.rules != newest) {
      known = index(newest);
      index = known;
    }
    return known;
  }
}
