package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.schemas.KeyNetwork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  static RuleKey fromRecord(List<String> names, List<KeyNetwork> networks) {
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
            .map(name -> new KeyAttribute(name, Optional.ofNullable(cuts.get(name))))
            .toList());
  }
}
