package io.quotaenforcer.cli.entitlements;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.hash.HashedText;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
   * The quota keys of these values: two while keys for hashes are rotated, and values are given in
   * the clear.
   *
   * @param values of the key attributes, in their order
   * @throws IllegalArgumentException if they make none, saying why
   */
  public List<QuotaKey> keysOf(List<String> values) {
    int clear = 0;
    int hashed = 0;
    Map<String, String> request = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      KeyAttribute attribute = rule.key().attributes().get(i);
      boolean isHash = HashedText.isOne(values.get(i));
      clear += attribute.isHashed() && !isHash ? 1 : 0;
      hashed += attribute.isHashed() && isHash ? 1 : 0;
      request.put(attribute.name(), values.get(i));
    }
    if (clear == 0) {
      return List.of(rule.quotaKeyOf(values));
    }
    // A hash that is given stands for its value, as in a request that was sent.
    CountedUnder counted = rule.countedUnder(Request.received(request, 1), hashKeys);
    if (counted instanceof CountedUnder.InTheClear unknown) {
      throw new IllegalArgumentException(
          hashed > 0
              ? "the rule hashes all of %s by one key: give the keys of the services, with the one of the hash, or each as its hash"
                  .formatted(String.join(", ", hashed()))
              : "the rule hashes %s: give the keys of the services, or the hash itself"
                  .formatted(unknown.attribute()));
    }
    List<QuotaKey> keys = ((CountedUnder.Keys) counted).all();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("an override of the rule exempts this quota key already");
    }
    return keys;
  }

  private List<String> hashed() {
    return rule.key().attributes().stream()
        .filter(KeyAttribute::isHashed)
        .map(KeyAttribute::name)
        .toList();
  }
}
