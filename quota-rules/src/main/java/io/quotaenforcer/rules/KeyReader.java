package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads {@code [user, {attribute: ip, ipv4-prefix: 24, ipv6-prefix: 64}, {attribute: email, hash:
 * true}]}.
 */
record KeyReader(Problems problems, Scalars scalars) {
  static final String ATTRIBUTE = "attribute";
  static final String IPV4_PREFIX = "ipv4-prefix";
  static final String IPV6_PREFIX = "ipv6-prefix";
  static final String HASH = "hash";

  KeyReader(Problems problems) {
    this(problems, new Scalars(problems));
  }

  /**
   * Reads the key of a rule; null if it is wrong, which is reported.
   *
   * @param match the rule's conditions, as far as they are right
   */
  @Nullable RuleKey read(Node node, Map<String, Matcher> match) {
    List<Node> items = Fields.items(node, "key must be a list such as [user]", problems);
    if (items == null) {
      return null;
    }
    List<KeyAttribute> key = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Node item : items) {
      KeyAttribute attribute = attribute(item);
      if (attribute == null) {
        continue;
      }
      String name = attribute.name();
      if (!names.add(name)) {
        problems.at(item, "duplicate key attribute " + Problems.quote(name) + "; keep one");
        continue;
      }
      if (match.get(name) instanceof Matcher.Absent) {
        problems.at(
            item,
            "key attribute %s is matched as absent, so nothing would be counted; remove one"
                .formatted(Problems.quote(name)));
      }
      key.add(attribute);
    }
    return key.size() == items.size() ? new RuleKey(key) : null;
  }

  private @Nullable KeyAttribute attribute(Node node) {
    if (node instanceof MappingNode) {
      return mapping(node);
    }
    String name = scalars.text(node, "a key attribute");
    return name == null || !Attributes.check(node, name, problems) ? null : KeyAttribute.of(name);
  }

  private @Nullable KeyAttribute mapping(Node node) {
    Fields fields = Fields.of(node, "a key attribute must be a name or a mapping", problems);
    if (fields == null) {
      return null;
    }
    fields.only(List.of(ATTRIBUTE, IPV4_PREFIX, IPV6_PREFIX, HASH));
    Node nameNode = fields.required(ATTRIBUTE, "name it, such as attribute: ip");
    String name = nameNode == null ? null : scalars.text(nameNode, ATTRIBUTE);
    if (nameNode == null || name == null || !Attributes.check(nameNode, name, problems)) {
      return null;
    }
    if (fields.isMisspelt(IPV4_PREFIX)
        || fields.isMisspelt(IPV6_PREFIX)
        || fields.isMisspelt(HASH)) {
      return null;
    }
    boolean isCut = fields.optional(IPV4_PREFIX) != null || fields.optional(IPV6_PREFIX) != null;
    Node hash = fields.optional(HASH);
    if (hash != null) {
      return hashed(name, hash, isCut);
    }
    if (!isCut) {
      problems.at(
          node,
          "missing \"ipv4-prefix\", \"ipv6-prefix\" or \"hash\"; to count whole values write %s alone"
              .formatted(YamlValues.text(name)));
      return null;
    }
    Long four = length(fields, IPV4_PREFIX, AddressCut.WHOLE.ipv4Prefix());
    Long six = length(fields, IPV6_PREFIX, AddressCut.WHOLE.ipv6Prefix());
    return four == null || six == null
        ? null
        : new KeyAttribute(name, Optional.of(new AddressCut(four.intValue(), six.intValue())));
  }

  private @Nullable KeyAttribute hashed(String name, Node hash, boolean isCut) {
    if (isCut) {
      problems.at(
          hash,
          "hash and a prefix cannot be together; have the service give the network as an attribute"
              + " of its own, and hash that");
      return null;
    }
    boolean isHashed =
        scalars.isTrue(hash, HASH, "write %s alone".formatted(YamlValues.text(name)));
    return isHashed ? KeyAttribute.hashed(name) : null;
  }

  private @Nullable Long length(Fields fields, String name, long whole) {
    return fields.value(name, whole, (node, what) -> scalars.number(node, what, 1, whole));
  }
}
