package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The quota keys of one rule that an instance holds, to be found by what a request says. Safe for
 * use by any thread.
 */
final class RuleKeys {
  /** By the value of the rule's only key attribute: the usual case, found without a quota key. */
  private final ConcurrentHashMap<String, KeyAllotment> byValue = new ConcurrentHashMap<>();

  /** By their text: those of no attribute or of several, and those whose value is a hash. */
  private final ConcurrentHashMap<String, KeyAllotment> byText = new ConcurrentHashMap<>();

  private volatile Version version;

  /**
   * The rule as it is in force.
   *
   * @param rank its place among the rules that are in force
   * @param common what it says of every quota key without an override
   * @param hashes whether it counts by hashes of values
   */
  private record Version(Rule rule, int rank, KeyTerms common, boolean hashes) {
    Version(Rule rule, int rank, KeyTerms common) {
      this(rule, rank, common, rule.key().hashes());
    }
  }

  RuleKeys(Rule rule) {
    this.version = new Version(rule, Integer.MAX_VALUE, KeyTerms.ofMost(rule));
  }

  /** Puts another version of the rule in force; true if what it counts begins anew. */
  boolean follow(Rule rule, int rank) {
    Version before = version;
    KeyTerms common = before.rule == rule ? before.common : KeyTerms.ofMost(rule);
    version = new Version(rule, rank, common);
    return beginsAnew(before.rule, rule);
  }

  /** Whether what a rule counts begins anew with another version of it. */
  static boolean beginsAnew(Rule before, Rule after) {
    return after.generation() != before.generation() || after.startsNewGenerationAfter(before);
  }

  Rule rule() {
    return version.rule;
  }

  int rank() {
    return version.rank;
  }

  /** The rule's terms for a quota key. */
  KeyTerms terms(QuotaKey key) {
    Version now = version;
    return now.rule.overrides().isEmpty() ? now.common : KeyTerms.of(key, now.rule);
  }

  /** The index of the class of a request that the rule matches; 0 where it has none. */
  int demandClass(Request request) {
    DemandClasses classes = version.rule.classes();
    return classes.isEmpty() ? 0 : classes.of(request.attributes());
  }

  /** Whether the rule counts by hashes of values, so that a request may have two quota keys. */
  boolean hashes() {
    return version.hashes;
  }

  /** The quota keys that a request counts under by a rule that hashes. */
  CountedUnder countedUnder(Request request, HashKeys keys) {
    return version.rule.countedUnder(request, keys);
  }

  /** The key that a request counts under, if it is held; what is exempt is held by chance only. */
  @Nullable KeyAllotment find(Request request) {
    RuleKey key = version.rule.key();
    if (key.size() != 1) {
      QuotaKey quotaKey = quotaKey(request);
      return quotaKey == null ? null : byText.get(quotaKey.toString());
    }
    KeyAttribute attribute = key.attributes().get(0);
    String value = request.attributes().get(attribute.name());
    if (value == null) {
      return null;
    }
    String part = attribute.part(value);
    if (!QuotaKey.isTooLong(part)) {
      return byValue.get(part);
    }
    QuotaKey quotaKey = quotaKey(request);
    return quotaKey == null ? null : byText.get(quotaKey.toString());
  }

  /** The quota key that a request counts under; null when it counts under none. */
  @Nullable QuotaKey quotaKey(Request request) {
    return version.rule.counted(request.attributes());
  }

  @Nullable KeyAllotment get(QuotaKey key) {
    return isByValue(key) ? byValue.get(key.values().get(0)) : byText.get(key.toString());
  }

  /**
   * Has another object stand for a quota key, or the same one. As {@link
   * ConcurrentHashMap#compute}: atomic for the key.
   *
   * @param next from the one that stood for it, or null; null for none
   */
  @Nullable KeyAllotment compute(QuotaKey key, UnaryOperator<@Nullable KeyAllotment> next) {
    return isByValue(key)
        ? byValue.compute(key.values().get(0), (value, existing) -> next.apply(existing))
        : byText.compute(key.toString(), (text, existing) -> next.apply(existing));
  }

  boolean remove(QuotaKey key, KeyAllotment held) {
    return isByValue(key)
        ? byValue.remove(key.values().get(0), held)
        : byText.remove(key.toString(), held);
  }

  void forEach(Consumer<KeyAllotment> action) {
    byValue.values().forEach(action);
    byText.values().forEach(action);
  }

  /** All keys, as they are when the iterator comes to them. */
  Iterator<KeyAllotment> iterator() {
    Iterator<KeyAllotment> first = byValue.values().iterator();
    Iterator<KeyAllotment> second = byText.values().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return first.hasNext() || second.hasNext();
      }

      @Override
      public KeyAllotment next() {
        return first.hasNext() ? first.next() : second.next();
      }
    };
  }

  /** A value that is a hash could be the value of another key. */
  private static boolean isByValue(QuotaKey key) {
    return key.values().size() == 1 && !key.isHashed(0);
  }
}
