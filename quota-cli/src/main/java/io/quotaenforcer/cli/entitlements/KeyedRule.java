package io.quotaenforcer.cli.entitlements;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.hash.HashedText;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;

/**
 * A published rule, and which quota keys values of its attributes make.
 *
 * @param hashKeys by which it hashes values; none where it hashes none, or hashes are given
 */
public record KeyedRule(Rule rule, HashKeys hashKeys) {

  /** The attributes of its quota keys, in their order. */
  public List<String> attributes() {
    return rule.key().names();
  }

  /**
   * The quota keys of these values: two while keys for hashes are rotated.
   *
   * @param values of the key attributes, in their order
   * @throws IllegalArgumentException if they make none, saying why
   */
  public List<QuotaKey> keysOf(List<String> values) {
    boolean hashed = true;
    for (int i = 0; i < values.size(); i++) {
      KeyAttribute attribute = rule.key().attributes().get(i);
      hashed &= !attribute.isHashed() || HashedText.isOne(values.get(i));
    }
    if (hashed) {
      return List.of(rule.quotaKeyOf(values));
    }
    CountedUnder counted = rule.countedUnder(values, hashKeys);
    if (counted instanceof CountedUnder.InTheClear clear) {
      throw new IllegalArgumentException(
          "the rule hashes %s: give the keys of the services, or the hash itself"
              .formatted(clear.attribute()));
    }
    List<QuotaKey> keys = ((CountedUnder.Keys) counted).all();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("an override of the rule exempts this quota key already");
    }
    return keys;
  }
}
