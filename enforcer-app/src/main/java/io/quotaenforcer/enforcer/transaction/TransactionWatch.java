package io.quotaenforcer.enforcer.transaction;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for {@linkplain HangingTransactions transactions that hang}, while an enforcer is not ready
 * and for a minute after: its stores and its reading would wait for them forever. It ends those
 * whose outcome it knows, and tells the operator of the others. Ended by {@link #close}.
 */
public final class TransactionWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TransactionWatch.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** How many looks in a row must find it not ready: any takeover makes one do so. */
  private static final int PATIENCE = 2;

  /** Looks that go on once it is ready again: readers of its answers may still wait. */
  private static final int AFTERWARDS = 30;

  /** Looks at one that this process does not end, before it is told of: its owner may. */
  private static final int LOOKS_TO_TELL = 4;

  private final KafkaConnection kafka;
  private final TransactionAdmin.Scope scope;
  private final OwnRecords own;
  private final BooleanSupplier ready;
  private final Thread thread = new Thread(this::run, "quota-transactions");
  private int unready;
  private int afterwards;
  private List<OpenTransaction> suspects = List.of();

  /** Those that are not ended here, and how often they were seen. */
  private final Map<OpenTransaction, Integer> left = new HashMap<>();

  private volatile Optional<String> trouble = Optional.empty();

  TransactionWatch(
      KafkaConnection kafka, TransactionAdmin.Scope scope, OwnRecords own, BooleanSupplier ready) {
    this.kafka = kafka;
    this.scope = scope;
    this.own = own;
    this.ready = ready;
    thread.setDaemon(true);
  }

  /**
   * Begins to look.
   *
   * @param applicationId of the enforcers
   * @param topics that they read and write, besides their changelogs
   * @param own records of this process
   * @param ready whether the enforcer grants
   */
  public static TransactionWatch start(
      KafkaConnection kafka,
      String applicationId,
      Set<String> topics,
      OwnRecords own,
      BooleanSupplier ready) {
    TransactionWatch watch =
        new TransactionWatch(kafka, new TransactionAdmin.Scope(applicationId, topics), own, ready);
    watch.thread.start();
    return watch;
  }

  /** The hanging transactions that are left to the operator. */
  public Optional<String> trouble() {
    return trouble;
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(PAUSE.toMillis());
        lookIfDue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks when it is time; a look that fails does not keep the next one from being made. */
  void lookIfDue() {
    try {
      if (isDue(ready.getAsBoolean())) {
        look();
      }
    } catch (BrokersException e) {
      log.debug("cannot look for transactions that hang", e);
    } catch (RuntimeException e) {
      // Without this thread what hangs would never end.
      log.error("cannot look for transactions that hang", e);
    }
  }

  private boolean isDue(boolean isReady) {
    unready = isReady ? 0 : unready + 1;
    afterwards = unready >= PATIENCE ? AFTERWARDS : Math.max(0, afterwards - 1);
    return afterwards > 0;
  }

  private void look() {
    try (Brokers brokers = Brokers.connect(kafka, Brokers.TIMEOUT)) {
      TransactionAdmin admin = new TransactionAdmin(brokers, scope);
      List<OpenTransaction> open = admin.open();
      List<OpenTransaction> hanging = suspects.stream().filter(open::contains).toList();
      suspects = HangingTransactions.suspects(open, admin.coordinated());
      byProducer(hanging).values().forEach(parts -> end(admin, parts));
      left.keySet().retainAll(hanging);
      if (left.isEmpty()) {
        trouble = Optional.empty();
      }
    }
  }

  private static Map<Long, List<OpenTransaction>> byProducer(List<OpenTransaction> hanging) {
    return hanging.stream().collect(Collectors.groupingBy(OpenTransaction::producerId));
  }

  private void end(TransactionAdmin admin, List<OpenTransaction> parts) {
    OwnRecords.Outcome outcome =
        own.isOurs(admin.transactionalId(parts.get(0)))
            ? HangingTransactions.outcome(parts, own)
            : OwnRecords.Outcome.UNKNOWN;
    if (outcome == OwnRecords.Outcome.UNKNOWN) {
      leave(parts, "whether it was committed is not known here");
      return;
    }
    boolean commit = outcome == OwnRecords.Outcome.CONFIRMED;
    for (OpenTransaction each : parts) {
      try {
        admin.end(each, commit);
        log.warn(
            "{} a transaction that hung in {} at offset {}: brokers had ended it without a marker"
                + " there, as they do where a partition has no leader",
            commit ? "committed" : "aborted",
            each.partition(),
            each.start());
      } catch (BrokersException e) {
        leave(List.of(each), String.valueOf(e.getMessage()));
      }
    }
  }

  private void leave(List<OpenTransaction> parts, String why) {
    parts.forEach(each -> left.merge(each, 1, Integer::sum));
    int looks = Collections.max(left.values());
    if (looks < LOOKS_TO_TELL) {
      return;
    }
    String text =
        "a transaction hangs in %s; brokers have forgotten to end it, and %s. Nothing is read there until it is ended: %s"
            .formatted(
                parts.stream()
                    .map(each -> each.partition().toString())
                    .collect(Collectors.joining(", ")),
                why,
                parts.stream().map(TransactionWatch::command).collect(Collectors.joining("; ")));
    trouble = Optional.of(text);
    if (looks == LOOKS_TO_TELL) {
      log.error("{}", text);
    }
  }

  private static String command(OpenTransaction each) {
    return "kafka-transactions.sh --bootstrap-server ... abort --topic %s --partition %d --start-offset %d"
        .formatted(each.partition().topic(), each.partition().partition(), each.start());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
