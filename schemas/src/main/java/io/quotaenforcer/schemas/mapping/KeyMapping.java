package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.schemas.AttributeMatch;
import io.quotaenforcer.schemas.KeyNetwork;
import io.quotaenforcer.schemas.MatchKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The key attributes that rules count by, to and from the wire. */
final class KeyMapping {
  private KeyMapping() {}

  /** One for each attribute with a cut, in the order of the key. */
  static List<KeyNetwork> networks(RuleKey key) {
    List<KeyNetwork> networks = new ArrayList<>();
    for (KeyAttribute attribute : key.attributes()) {
      attribute
          .cut()
          .ifPresent(
              cut ->
                  networks.add(
                      new KeyNetwork(attribute.name(), cut.ipv4Prefix(), cut.ipv6Prefix())));
    }
    return networks;
  }

  /** One for each attribute that is hashed, in the order of the key. */
  static List<AttributeMatch> hashed(RuleKey key) {
    return key.attributes().stream()
        .filter(KeyAttribute::isHashed)
        .map(attribute -> new AttributeMatch(attribute.name(), MatchKind.HASHED, ""))
        .toList();
  }

  /** The names of the attributes that are hashed. */
  static Set<String> hashed(List<AttributeMatch> match) {
    return match.stream()
        .filter(KeyMapping::isHashed)
        .map(each -> Fields.required(each.attribute(), "match.attribute"))
        .collect(Collectors.toSet());
  }

  static List<AttributeMatch> withoutHashed(List<AttributeMatch> match) {
    return match.stream().filter(each -> !isHashed(each)).toList();
  }

  private static boolean isHashed(AttributeMatch match) {
    return match.kind() == MatchKind.HASHED;
  }

  static RuleKey fromRecord(List<String> names, List<KeyNetwork> networks, Set<String> hashed) {
    hashed.forEach(
        attribute ->
            Fields.check(
                names.contains(attribute), "must be in the key to be HASHED", "match", attribute));
    Map<String, AddressCut> cuts = new HashMap<>();
    for (KeyNetwork network : networks) {
      String attribute = Fields.required(network.attribute(), "keyNetworks.attribute");
      Fields.check(
          names.contains(attribute), "must be in the key", "keyNetworks.attribute", attribute);
      AddressCut cut =
          Fields.read(
              "keyNetworks." + attribute,
              () -> new AddressCut(network.ipv4Prefix(), network.ipv6Prefix()));
      Fields.check(
          cuts.put(attribute, cut) == null,
          "must be different attributes",
          "keyNetworks.attribute",
          attribute);
    }
    return new RuleKey(
        names.stream()
            .map(
                name ->
                    new KeyAttribute(
                        name, Optional.ofNullable(cuts.get(name)), hashed.contains(name)))
            .toList());
  }
}
