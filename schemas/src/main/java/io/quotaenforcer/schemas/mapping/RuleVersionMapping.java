package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.schemas.RuleVersion;
import java.util.Optional;

/** Versions of rules, to and from the wire. */
public final class RuleVersionMapping {
  private RuleVersionMapping() {}

  public static RuleVersion toRecord(io.quotaenforcer.core.message.RuleVersion version) {
    return new RuleVersion(
        version.id().domain(),
        version.id().id(),
        version.version(),
        version.added(),
        version.yaml().orElse(null),
        version.atMillis(),
        version.author().orElse(null),
        version.message().orElse(null));
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static io.quotaenforcer.core.message.RuleVersion fromRecord(RuleVersion record) {
    String domain = Fields.required(record.domain(), "domain");
    RuleId id = Fields.read("id", () -> new RuleId(domain, Fields.required(record.id(), "id")));
    Fields.check(record.version() >= 1, "must be >= 1", "version", record.version());
    return new io.quotaenforcer.core.message.RuleVersion(
        id,
        record.version(),
        record.added(),
        Optional.ofNullable(record.yaml()),
        record.publishedAtMillis(),
        Optional.ofNullable(record.author()),
        Optional.ofNullable(record.message()));
  }
}
