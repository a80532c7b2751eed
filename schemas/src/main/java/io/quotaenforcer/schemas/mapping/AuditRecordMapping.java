package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.core.message.AuditRecord.Outcome;
import io.quotaenforcer.core.message.AuditRecord.Result;
import io.quotaenforcer.core.message.AuditRecord.What;
import io.quotaenforcer.core.message.AuditRecord.Who;
import io.quotaenforcer.schemas.AuditRecord;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Records of changes by operators, to and from the wire. */
public final class AuditRecordMapping {
  private AuditRecordMapping() {}

  public static AuditRecord toRecord(io.quotaenforcer.core.message.AuditRecord audit) {
    Change change = audit.result().change();
    return new AuditRecord(
        audit.atMillis(),
        audit.who().name(),
        audit.who().role(),
        audit.who().address(),
        audit.what().action(),
        audit.what().target(),
        word(audit.result().outcome()),
        audit.result().reason(),
        change.before().orElse(null),
        change.after().orElse(null),
        change.count().orElse(null));
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static io.quotaenforcer.core.message.AuditRecord fromRecord(AuditRecord record) {
    return new io.quotaenforcer.core.message.AuditRecord(
        record.atMillis(),
        new Who(
            Fields.required(record.caller(), "caller"),
            Fields.required(record.role(), "role"),
            Fields.required(record.address(), "address")),
        new What(
            Fields.required(record.action(), "action"), Fields.required(record.target(), "target")),
        new Result(
            outcome(Fields.required(record.outcome(), "outcome")),
            Fields.required(record.reason(), "reason"),
            new Change(
                Optional.ofNullable(record.versionBefore()),
                Optional.ofNullable(record.versionAfter()),
                Optional.ofNullable(record.count()))));
  }

  private static Outcome outcome(String word) {
    return Arrays.stream(Outcome.values())
        .filter(outcome -> word(outcome).equals(word))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("must be done, refused or failed: outcome=" + word));
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
