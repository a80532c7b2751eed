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
    String domain = Fields.required(record.getDomain(), "domain");
    RuleId id = Fields.read("id", () -> new RuleId(domain, Fields.required(record.getId(), "id")));
    Fields.check(record.getVersion() >= 1, "must be >= 1", "version", record.getVersion());
    return new io.quotaenforcer.core.message.RuleVersion(
        id,
        record.getVersion(),
        record.getAdded(),
        Optional.ofNullable(record.getYaml()),
        record.getPublishedAtMillis(),
        Optional.ofNullable(record.getAuthor()),
        Optional.ofNullable(record.getMessage()));
  }
}
