package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The quota keys that an instance holds, rule by rule. Safe for use by any thread. */
final class HeldKeys {
  /** Never shrinks: a rule that is gone may be back, and its keys must not be in two objects. */
  private final Map<RuleId, RuleKeys> byRule = new ConcurrentHashMap<>();

  private final AtomicInteger count = new AtomicInteger();
  private volatile InForce inForce = new InForce(RuleSet.empty(), MatchIndex.of(List.of()));

  /** The rules that are in force, and where to find the keys of those that match a request. */
  record InForce(RuleSet rules, MatchIndex<RuleKeys> index) {}

  InForce inForce() {
    return inForce;
  }

  /** Puts other rules in force. */
  void follow(RuleSet rules) {
    int rank = 0;
    for (Rule rule : rules.rules()) {
      of(rule).follow(rule, rank++);
    }
    inForce = new InForce(rules, rules.index(this::of));
  }

  RuleKeys of(Rule rule) {
    return byRule.computeIfAbsent(rule.id(), id -> new RuleKeys(rule));
  }

  /** What the rule of a key that is held says of it. */
  KeyTerms terms(QuotaKey key) {
    return Objects.requireNonNull(byRule.get(key.rule())).terms(key);
  }

  /** How many there are. */
  int size() {
    return count.get();
  }

  @Nullable HeldKey get(QuotaKey key) {
    RuleKeys keys = byRule.get(key.rule());
    return keys == null ? null : keys.get(key);
  }

  /**
   * The object that stands for a key, created if there is none, or only one that is retired or
   * dormant.
   *
   * @param create from the keys of the rule and what stood for the key
   */
  KeyAllotment live(
      Rule rule, QuotaKey key, BiFunction<RuleKeys, @Nullable HeldKey, KeyAllotment> create) {
    RuleKeys keys = of(rule);
    HeldKey live =
        keys.compute(
            key,
            existing -> {
              if (existing instanceof KeyAllotment allotment && !allotment.isRetired()) {
                return existing;
              }
              KeyAllotment created = create.apply(keys, existing);
              if (existing == null) {
                count.incrementAndGet();
              }
              return created;
            });
    return (KeyAllotment) live;
  }

  void remove(QuotaKey key, HeldKey held) {
    RuleKeys keys = byRule.get(key.rule());
    if (keys != null && keys.remove(key, held)) {
      count.decrementAndGet();
    }
  }

  /** Has a dormant key stand for one that is retired. */
  void replace(KeyAllotment retired, DormantKey dormant) {
    RuleKeys keys = byRule.get(retired.quotaKey().rule());
    if (keys != null) {
      keys.replace(retired.quotaKey(), retired, dormant);
    }
  }

  Collection<RuleKeys> rules() {
    return byRule.values();
  }

  void forEach(Consumer<KeyAllotment> action) {
    byRule.values().forEach(keys -> keys.forEach(action));
  }
}
