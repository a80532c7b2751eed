package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.query.DeferredScope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Changes by operators, and what they look at in topics. Each change and its audit record are
 * written together: both or neither. All throw an {@link OperationException} when Kafka does not do
 * it.
 */
public interface Operations {
  /** Most dead letters of one redrive. */
  int MOST_REDRIVEN = 50;

  /** Writes the record of something that was not changed. */
  void note(AuditRecord audit);

  /** Throws an {@link OperationException} with the remedy unless changes can be recorded. */
  void checkAudit();

  /**
   * Tells the queues of a scope.
   *
   * @return behind which the dead letters stand that come of it
   */
  LettersEnd tell(DeferredScope scope, DeferralInput input, AuditRecord audit);

  /** Whether a wanted dead letter stands behind an end; waits a little for it to be committed. */
  boolean isPutAside(LettersEnd end, Predicate<DeadLetter> wanted);

  /** Ends the penalty of a quota key. */
  void lift(QuotaKey key, AuditRecord audit);

  /**
   * Dead letters, the newest first, of those put aside last.
   *
   * @param before where an earlier page ended
   */
  Found<Letter> letters(LetterFilter filter, Optional<String> before, int most);

  /**
   * Writes dead letters back to where they came from; throws an {@link OperationException} if none
   * of them can be.
   *
   * @param places of at most {@link #MOST_REDRIVEN} letters
   * @param audit the record for a number of letters
   */
  RedrivePlan redrive(Set<String> places, boolean again, LongFunction<AuditRecord> audit);

  /**
   * What was changed, the newest first.
   *
   * @param before where an earlier page ended
   */
  Found<Audited> audit(Optional<String> before, int most);

  /**
   * Rows, the newest first.
   *
   * @param next for the page after; empty when there is none
   * @param lookedAt records that were read for it
   */
  record Found<T>(List<T> rows, Optional<String> next, long lookedAt) {
    public Found {
      rows = List.copyOf(rows);
    }
  }

  /**
   * A dead letter.
   *
   * @param redrivenMillis when it was redriven last, epoch milliseconds; empty if it was not
   */
  record Letter(DeadLetter letter, Optional<Long> redrivenMillis) {}

  /** A record of the audit topic, at its place there. */
  sealed interface Audited {
    String place();

    record Readable(String place, AuditRecord audit) implements Audited {}

    record Unreadable(String place, String reason) implements Audited {}
  }
}
