package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.enforcer.topics.NewestFirst;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Operations in Kafka. Clients are opened for each of them, as operators are few. A change is
 * written in a transaction with its audit record.
 */
public final class KafkaOperations implements Operations {
  private static final String NOT_CHANGED = "nothing was changed: ";

  /** How often dead letters are looked at: what an enforcer shows may not be committed yet. */
  private static final int LOOKS = 5;

  private static final long PAUSE_NANOS = 100_000_000L;

  private final KafkaConnection connection;
  private final Duration timeout;
  private final OperatorRecords records;
  private final String writer;

  /** Each change takes a transactional id of which there is one. */
  private final Semaphore changes = new Semaphore(1);

  /** Each takes memory for what it reads. */
  private final Semaphore readers = new Semaphore(2);

  /**
   * @param timeout of each of Kafka's answers
   * @param writer the transactional id of this process
   */
  public KafkaOperations(KafkaConnection connection, Duration timeout, Wire wire, String writer) {
    this.connection = connection;
    this.timeout = timeout;
    this.records = new OperatorRecords(wire);
    this.writer = writer;
  }

  @Override
  public void note(AuditRecord audit) {
    with(
        NOT_CHANGED,
        brokers -> {
          check(brokers);
          try (RecordWriter open = new RecordWriter(brokers)) {
            open.write(List.of(records.of(audit)));
          }
          return audit;
        });
  }

  @Override
  public void checkAudit() {
    with(
        NOT_CHANGED,
        brokers -> {
          check(brokers);
          return brokers;
        });
  }

  @Override
  public LettersEnd tell(DeferredScope scope, DeferralInput input, AuditRecord audit) {
    return change(records.to(scope, input), audit);
  }

  @Override
  public boolean isPutAside(LettersEnd end, Predicate<DeadLetter> wanted) {
    return inTurn(
        readers,
        brokers -> {
          boolean isFound = !end.behind(brokers, records.wire(), wanted).isEmpty();
          for (int i = 1; !isFound && i < LOOKS; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            isFound = !end.behind(brokers, records.wire(), wanted).isEmpty();
          }
          return isFound;
        });
  }

  @Override
  public void lift(QuotaKey key, AuditRecord audit) {
    change(List.of(records.toLift(key)), audit);
  }

  private LettersEnd change(List<ProducerRecord<byte[], byte[]>> told, AuditRecord audit) {
    List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(told);
    all.add(records.of(audit));
    return inTurn(
        changes,
        brokers -> {
          check(brokers);
          LettersEnd end = LettersEnd.now(brokers, records.wire());
          try (RecordWriter open = RecordWriter.inTransactions(brokers, writer)) {
            write(open, all);
          }
          return end;
        });
  }

  /** What is written in a transaction is not known to be there, nor not to be, when it fails. */
  static void write(RecordWriter writer, List<ProducerRecord<byte[], byte[]>> all) {
    try {
      writer.write(all);
    } catch (BrokersException e) {
      throw new OperationException(
          e.getMessage() + "; it may have been changed all the same: look before you repeat it", e);
    }
  }

  @Override
  public Found<Letter> letters(LetterFilter filter, Optional<String> before, int most) {
    LettersBackwards letters = new LettersBackwards(records.wire(), filter, before);
    return inTurn(
        readers,
        brokers ->
            letters.found(
                newest(brokers).read(topics().deadLetters().name(), letters, most, none())));
  }

  @Override
  public RedrivePlan redrive(Set<String> places, boolean again, LongFunction<AuditRecord> audit) {
    return inTurn(
        changes,
        brokers -> {
          check(brokers);
          return new BoundedRedrive(brokers, records.wire())
              .run(places, again, count -> records.of(audit.apply(count)));
        });
  }

  @Override
  public Found<Audited> audit(Optional<String> before, int most) {
    return inTurn(
        readers,
        brokers -> {
          check(brokers);
          NewestFirst.Page<Audited> page =
              newest(brokers)
                  .read(topics().audit().name(), record -> Optional.of(read(record)), most, before);
          return new Found<>(
              page.rows().stream().map(NewestFirst.Row::value).toList(),
              page.next(),
              page.lookedAt());
        });
  }

  private Audited read(ConsumerRecord<byte[], byte[]> record) {
    String place = record.partition() + "-" + record.offset();
    try {
      return new Audited.Readable(place, records.wire().decodeAudit(record.value()));
    } catch (RuntimeException e) {
      return new Audited.Unreadable(place, String.valueOf(e.getMessage()));
    }
  }

  /** Writing to a topic that is not there would wait for it, or let brokers create it wrongly. */
  private void check(Brokers brokers) {
    String name = topics().audit().name();
    if (!brokers.hasTopic(name)) {
      String prefix = name.substring(0, name.length() - "audit".length());
      throw new OperationException(
          "nothing was changed: topic %s, which has to have a record of each change, does not exist; run: quota topics create%s"
              .formatted(name, prefix.equals(Topics.DEFAULT_PREFIX) ? "" : " --prefix " + prefix));
    }
  }

  private NewestFirst newest(Brokers brokers) {
    return new NewestFirst(brokers, System::nanoTime);
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  private Topics topics() {
    return records.wire().topics();
  }

  private <T> T inTurn(Semaphore turns, Function<Brokers, T> task) {
    String undone = turns.equals(changes) ? NOT_CHANGED : "";
    if (!turns.tryAcquire()) {
      throw new OperationException.Busy(
          undone + "this enforcer does the same for others; ask again soon");
    }
    try {
      return with(undone, task);
    } finally {
      turns.release();
    }
  }

  /**
   * @param undone begins what is said where Kafka does not do it
   */
  private <T> T with(String undone, Function<Brokers, T> task) {
    try (Brokers brokers = Brokers.connect(connection, timeout)) {
      return task.apply(brokers);
    } catch (BrokersException e) {
      throw new OperationException(undone + e.getMessage(), e);
    }
  }
}
