package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.RIGHTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;

/**
 * What Kafka allows to whoever asks, beside what a role needs.
 *
 * @param role in words
 * @param asked one for each resource
 */
public record Rights(String role, List<Asked> asked) {
  /**
   * A resource.
   *
   * @param resource as {@code topic quota.usage}
   * @param needed operations that the role needs
   * @param allowed those that Kafka allows
   */
  public record Asked(String resource, Set<AclOperation> needed, Set<AclOperation> allowed) {
    public Asked {
      needed = Set.copyOf(needed);
      allowed = Set.copyOf(allowed);
    }

    private Set<AclOperation> missing() {
      Set<AclOperation> missing = new TreeSet<>(needed);
      missing.removeAll(allowed);
      return allowed.contains(AclOperation.ALL) ? Set.of() : missing;
    }
  }

  public Rights {
    asked = List.copyOf(asked);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (Asked each : asked) {
      Set<AclOperation> missing = each.missing();
      if (!missing.isEmpty()) {
        findings.add(
            Finding.problem(
                RIGHTS,
                "Kafka does not allow %s on %s, which the role %s needs: add an ACL, such as kafka-acls.sh --bootstrap-server ... --add --allow-principal User:... %s --%s"
                    .formatted(
                        missing.stream().map(Rights::word).collect(Collectors.joining(", ")),
                        each.resource(),
                        role,
                        missing.stream()
                            .map(operation -> "--operation " + word(operation))
                            .collect(Collectors.joining(" ")),
                        each.resource())));
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(RIGHTS, "Kafka allows all that the role %s needs here".formatted(role)));
    }
    return findings;
  }

  /** The word for it in ACLs. */
  private static String word(AclOperation operation) {
    StringBuilder word = new StringBuilder();
    for (String part : operation.name().split("_")) {
      word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
    }
    return word.toString();
  }
}
