package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleIndex;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
  private volatile InForce inForce =
      new InForce(RuleSet.empty(), MatchIndex.of(List.of()), HashKeys.NONE);

  /**
   * The rules that are in force, and where to find the keys of those that match a request.
   *
   * @param hashKeys by which values are hashed
   */
  record InForce(RuleSet rules, MatchIndex<RuleKeys> index, HashKeys hashKeys) {}

  InForce inForce() {
    return inForce;
  }

  /** Puts other rules in force; true if what one of them counts begins anew. */
  boolean follow(RuleSet rules) {
    int rank = 0;
    boolean beginsAnew = false;
    for (Rule rule : inOrder(rules)) {
      beginsAnew |= of(rule).follow(rule, rank++);
    }
    inForce = new InForce(rules, RuleIndex.of(rules, this::of), inForce.hashKeys());
    return beginsAnew;
  }

  /**
   * As they are decided: whether a request borrows is known before the rules that lend are asked.
   */
  private static List<Rule> inOrder(RuleSet rules) {
    List<Rule> inOrder = new ArrayList<>(rules.rules());
    inOrder.sort(Comparator.comparing(rule -> rule.classes().lends()));
    inOrder.addAll(rules.borrowed());
    return inOrder;
  }

  /** Hashes values by other keys from now on. */
  void hashBy(HashKeys keys) {
    inForce = new InForce(inForce.rules(), inForce.index(), keys);
  }

  RuleKeys of(Rule rule) {
    return byRule.computeIfAbsent(rule.id(), id -> new RuleKeys(rule));
  }

  /** How many there are. */
  int size() {
    return count.get();
  }

  @Nullable KeyAllotment get(QuotaKey key) {
    RuleKeys keys = byRule.get(key.rule());
    return keys == null ? null : keys.get(key);
  }

  /**
   * The object that stands for a key, created if there is none, or only one that is retired.
   *
   * @param create from the keys of the rule and what stood for the key
   */
  KeyAllotment live(
      Rule rule, QuotaKey key, BiFunction<RuleKeys, @Nullable KeyAllotment, KeyAllotment> create) {
    RuleKeys keys = of(rule);
    KeyAllotment live =
        keys.compute(
            key,
            existing -> {
              if (existing != null && !existing.isRetired()) {
                return existing;
              }
              KeyAllotment created = create.apply(keys, existing);
              if (existing == null) {
                count.incrementAndGet();
              }
              return created;
            });
    return Objects.requireNonNull(live);
  }

  void remove(QuotaKey key, KeyAllotment held) {
    RuleKeys keys = byRule.get(key.rule());
    if (keys != null && keys.remove(key, held)) {
      count.decrementAndGet();
    }
  }

  /**
   * Drops the object of a key at rest, unless another one stands for the key.
   *
   * @param before is run just before, while no other object can come
   */
  void remove(KeyAllotment rested, Runnable before) {
    RuleKeys keys = byRule.get(rested.quotaKey().rule());
    if (keys != null) {
      keys.compute(
          rested.quotaKey(),
          existing -> {
            if (existing != rested) {
              return existing;
            }
            before.run();
            count.decrementAndGet();
            return null;
          });
    }
  }

  Collection<RuleKeys> rules() {
    return byRule.values();
  }

  void forEach(Consumer<KeyAllotment> action) {
    byRule.values().forEach(keys -> keys.forEach(action));
  }
}
