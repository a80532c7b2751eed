package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.hash.HashedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The quota keys of requests by a rule that hashes values. */
record HashedParts(Rule rule, HashKeys keys) {

  /** The values of a request's quota keys, or why they are not known. */
  private sealed interface Found {
    record Parts(List<List<String>> all) implements Found {}

    record Clear(String attribute) implements Found {}
  }

  CountedUnder of(Request request) {
    Found found = find(request);
    if (found instanceof Found.Clear clear) {
      return new CountedUnder.InTheClear(clear.attribute());
    }
    List<QuotaKey> all = new ArrayList<>(HashKeys.MOST);
    for (List<String> parts : ((Found.Parts) found).all()) {
      QuotaKey quotaKey = rule.keyOf(parts);
      if (rule.exempts(quotaKey)) {
        // An exemption by one of the two hashes is one of the value.
        return CountedUnder.Keys.NONE;
      }
      all.add(quotaKey);
    }
    return new CountedUnder.Keys(all);
  }

  Optional<RuleOverride> overrideOf(Request request) {
    if (!(find(request) instanceof Found.Parts found)) {
      return Optional.empty();
    }
    return found.all().stream()
        .flatMap(parts -> Optional.ofNullable(rule.overrides().holding(rule, parts)).stream())
        .findFirst();
  }

  private Found find(Request request) {
    List<KeyAttribute> attributes = rule.key().attributes();
    List<List<String>> byAttribute = new ArrayList<>(attributes.size());
    List<String> some = List.of();
    String hashed = "";
    for (KeyAttribute attribute : attributes) {
      String value = request.attributes().get(attribute.name());
      if (value == null) {
        return new Found.Parts(List.of());
      }
      if (!attribute.isHashed()) {
        byAttribute.add(List.of(attribute.part(value)));
        continue;
      }
      List<String> texts = keys.texts(request, value);
      if (texts.isEmpty()) {
        return new Found.Clear(attribute.name());
      }
      some = texts;
      hashed = attribute.name();
      byAttribute.add(texts);
    }
    List<List<String>> all = new ArrayList<>(some.size());
    for (String text : some) {
      List<String> parts = ofKey(HashedText.keyId(text), byAttribute);
      if (parts.size() == attributes.size()) {
        all.add(parts);
      }
    }
    // Values that different keys have hashed tell no quota key together.
    return all.isEmpty() ? new Found.Clear(hashed) : new Found.Parts(all);
  }

  /**
   * The key part of each attribute by one hash key; fewer parts if an attribute has none by this
   * key.
   */
  private List<String> ofKey(String keyId, List<List<String>> byAttribute) {
    List<String> parts = new ArrayList<>(byAttribute.size());
    for (int i = 0; i < byAttribute.size(); i++) {
      boolean isHashed = rule.key().attributes().get(i).isHashed();
      for (String text : byAttribute.get(i)) {
        if (!isHashed || HashedText.keyId(text).equals(keyId)) {
          parts.add(text);
        }
      }
    }
    return parts;
  }
}
