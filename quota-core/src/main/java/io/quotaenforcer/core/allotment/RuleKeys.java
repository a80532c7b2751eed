package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The quota keys of one rule that an instance holds, to be found by what a request says. Safe for
 * use by any thread.
 */
final class RuleKeys {
  /** By the value of the rule's only key attribute: the usual case, found without a quota key. */
  private final ConcurrentHashMap<String, HeldKey> byValue = new ConcurrentHashMap<>();

  /** By their text: those of no attribute or of several, and those whose value is a hash. */
  private final ConcurrentHashMap<String, HeldKey> byText = new ConcurrentHashMap<>();

  private volatile Version version;

  /**
   * The rule as it is in force.
   *
   * @param rank its place among the rules that are in force
   * @param common what it says of every quota key without an override
   */
  private record Version(Rule rule, int rank, KeyTerms common) {}

  RuleKeys(Rule rule) {
    this.version = new Version(rule, Integer.MAX_VALUE, KeyTerms.ofMost(rule));
  }

  /** Puts another version of the rule in force. */
  void follow(Rule rule, int rank) {
    Version before = version;
    if (rule.generation() != before.rule.generation()
        || rule.startsNewGenerationAfter(before.rule)) {
      forgetAnswers(byValue);
      forgetAnswers(byText);
    }
    KeyTerms common = before.rule == rule ? before.common : KeyTerms.ofMost(rule);
    version = new Version(rule, rank, common);
  }

  private static void forgetAnswers(ConcurrentHashMap<String, HeldKey> keys) {
    keys.replaceAll(
        (name, key) -> key instanceof DormantKey dormant ? dormant.withoutAnswer() : key);
  }

  Rule rule() {
    return version.rule;
  }

  int rank() {
    return version.rank;
  }

  /** What the rule says of a quota key. */
  KeyTerms terms(QuotaKey key) {
    Version now = version;
    return now.rule.overrides().isEmpty() ? now.common : KeyTerms.of(key, now.rule);
  }

  /** The key that a request counts under, if it is held; what is exempt is held by chance only. */
  @Nullable KeyAllotment find(Request request) {
    RuleKey key = version.rule.key();
    if (key.size() != 1) {
      QuotaKey quotaKey = quotaKey(request);
      return quotaKey == null ? null : awake(byText.get(quotaKey.toString()));
    }
    KeyAttribute attribute = key.attributes().get(0);
    String value = request.attributes().get(attribute.name());
    if (value == null) {
      return null;
    }
    String part = attribute.part(value);
    if (part.length() <= QuotaKey.MAX_VALUE_CHARS) {
      return awake(byValue.get(part));
    }
    return awake(byText.get(QuotaKey.of(version.rule.id(), List.of(part)).toString()));
  }

  /** The quota key that a request counts under; null when it counts under none. */
  @Nullable QuotaKey quotaKey(Request request) {
    return version.rule.counted(request.attributes());
  }

  private static @Nullable KeyAllotment awake(@Nullable HeldKey key) {
    return key instanceof KeyAllotment allotment ? allotment : null;
  }

  @Nullable HeldKey get(QuotaKey key) {
    return isByValue(key) ? byValue.get(key.values().get(0)) : byText.get(key.toString());
  }

  /**
   * Has another object stand for a quota key, or the same one. As {@link
   * ConcurrentHashMap#compute}: atomic for the key.
   *
   * @param next from the one that stood for it, or null
   */
  HeldKey compute(QuotaKey key, Function<@Nullable HeldKey, HeldKey> next) {
    return isByValue(key)
        ? byValue.compute(key.values().get(0), (value, existing) -> next.apply(existing))
        : byText.compute(key.toString(), (text, existing) -> next.apply(existing));
  }

  boolean remove(QuotaKey key, HeldKey held) {
    return isByValue(key)
        ? byValue.remove(key.values().get(0), held)
        : byText.remove(key.toString(), held);
  }

  void replace(QuotaKey key, HeldKey held, HeldKey by) {
    if (isByValue(key)) {
      byValue.replace(key.values().get(0), held, by);
    } else {
      byText.replace(key.toString(), held, by);
    }
  }

  void forEach(Consumer<KeyAllotment> action) {
    Consumer<HeldKey> ifAwake =
        key -> {
          if (key instanceof KeyAllotment allotment) {
            action.accept(allotment);
          }
        };
    byValue.values().forEach(ifAwake);
    byText.values().forEach(ifAwake);
  }

  /** All keys, as they are when the iterators come to them. */
  Iterator<Map.Entry<String, HeldKey>> byValues() {
    return byValue.entrySet().iterator();
  }

  Iterator<Map.Entry<String, HeldKey>> byTexts() {
    return byText.entrySet().iterator();
  }

  /** A value that is a hash could be the value of another key. */
  private static boolean isByValue(QuotaKey key) {
    return key.values().size() == 1 && !key.isHashed(0);
  }
}
