package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.core.message.AuditRecord.Outcome;
import io.quotaenforcer.core.message.AuditRecord.Result;
import io.quotaenforcer.core.message.AuditRecord.What;
import io.quotaenforcer.core.message.AuditRecord.Who;
import io.quotaenforcer.server.access.Caller;

/** The record of something that was asked for, without what came of it. */
record AuditDraft(long atMillis, Who who, What what) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  static AuditDraft of(
      ApiSources sources, Caller caller, String address, Action action, String target) {
    return new AuditDraft(
        sources.epochNanos().getAsLong() / NANOS_PER_MILLI,
        new Who(caller.name(), caller.role().word(), address),
        new What(action.word(), target));
  }

  /**
   * @param reason what the operator said; may be empty
   */
  AuditRecord done(String reason, Change change) {
    return ended(Outcome.DONE, reason, change);
  }

  AuditRecord refused(String reason) {
    return ended(Outcome.REFUSED, reason, Change.NONE);
  }

  AuditRecord failed(String reason) {
    return ended(Outcome.FAILED, reason, Change.NONE);
  }

  private AuditRecord ended(Outcome outcome, String reason, Change change) {
    return new AuditRecord(atMillis, who, what, new Result(outcome, reason, change));
  }
}
