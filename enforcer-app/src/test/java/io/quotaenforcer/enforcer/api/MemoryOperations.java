package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.operations.OperationException;
import io.quotaenforcer.enforcer.operations.Operations;
import io.quotaenforcer.enforcer.query.DeferredScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;

/** Operations without Kafka: what was told, and the audit records. */
final class MemoryOperations implements Operations {
  final List<DeferralInput> told = new CopyOnWriteArrayList<>();
  final List<QuotaKey> lifted = new CopyOnWriteArrayList<>();
  final List<Letter> letters = new CopyOnWriteArrayList<>();
  final List<AuditRecord> audit = new CopyOnWriteArrayList<>();

  /** Whether others are worked for. */
  volatile boolean busy;

  /** What becomes of everything; empty when it is done. */
  volatile Optional<String> trouble = Optional.empty();

  @Override
  public void note(AuditRecord record) {
    checkAudit();
    audit.add(record);
  }

  @Override
  public void checkAudit() {
    if (trouble.isPresent()) {
      throw new OperationException(trouble.get());
    }
  }

  @Override
  public void tell(DeferredScope scope, DeferralInput input, AuditRecord record) {
    if (busy) {
      throw new OperationException.Busy("nothing was changed: ask again soon");
    }
    note(record);
    told.add(input);
  }

  @Override
  public void lift(QuotaKey key, AuditRecord record) {
    note(record);
    lifted.add(key);
  }

  @Override
  public Found<Letter> letters(LetterFilter filter, Optional<String> before, int most) {
    checkAudit();
    List<Letter> found = letters.stream().filter(it -> filter.test(it.letter())).toList();
    return new Found<>(
        found.stream().limit(most).toList(),
        found.size() > most ? Optional.of("0-1") : Optional.empty(),
        letters.size());
  }

  @Override
  public RedrivePlan redrive(Set<String> places, boolean again, LongFunction<AuditRecord> record) {
    throw new OperationException("nothing was redriven: there are no such letters: " + places);
  }

  @Override
  public Found<Audited> audit(Optional<String> before, int most) {
    checkAudit();
    List<Audited> rows = new ArrayList<>();
    for (int i = audit.size() - 1; i >= 0; i--) {
      rows.add(new Audited.Readable("0-" + i, audit.get(i)));
    }
    rows.add(new Audited.Unreadable("0-x", "no record"));
    return new Found<>(rows.stream().limit(most).toList(), Optional.empty(), rows.size());
  }
}
