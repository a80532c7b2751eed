package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.operations.LettersEnd;
import io.quotaenforcer.enforcer.operations.OperationException;
import io.quotaenforcer.enforcer.operations.Operations;
import io.quotaenforcer.enforcer.query.DeferredScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/** Operations without Kafka: what was told, and the audit records. */
final class MemoryOperations implements Operations {
  final List<DeferralInput> told = new CopyOnWriteArrayList<>();
  final List<QuotaKey> lifted = new CopyOnWriteArrayList<>();
  final List<Letter> letters = new CopyOnWriteArrayList<>();
  final List<AuditRecord> audit = new CopyOnWriteArrayList<>();

  /** Whether others are worked for. */
  volatile boolean busy;

  /** What comes of it when a queue is told. */
  volatile Runnable onTold = () -> {};

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
  public LettersEnd tell(DeferredScope scope, DeferralInput input, AuditRecord record) {
    if (busy) {
      throw new OperationException.Busy("nothing was changed: ask again soon");
    }
    note(record);
    told.add(input);
    onTold.run();
    return new LettersEnd(Map.of());
  }

  @Override
  public boolean isPutAside(LettersEnd end, Predicate<DeadLetter> wanted) {
    checkAudit();
    return letters.stream().anyMatch(it -> wanted.test(it.letter()));
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
