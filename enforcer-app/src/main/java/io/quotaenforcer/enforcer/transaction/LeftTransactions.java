package io.quotaenforcer.enforcer.transaction;

import io.quotaenforcer.enforcer.topics.Brokers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@linkplain HangingTransactions Transactions that hang} where broker and enforcer are one process
 * and were killed together: then no enforcer is there that knows what it was told, and before one
 * starts, the coordinator still has the outcome of the last transaction of each producer.
 */
public final class LeftTransactions {
  private static final Logger log = LoggerFactory.getLogger(LeftTransactions.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private LeftTransactions() {}

  /**
   * Ends those that there are. No enforcer of the application may run.
   *
   * @param topics that enforcers read and write, besides their changelogs
   * @throws io.quotaenforcer.enforcer.topics.BrokersException if the brokers do not answer
   */
  public static void end(Brokers brokers, String applicationId, Set<String> topics)
      throws InterruptedException {
    TransactionAdmin admin =
        new TransactionAdmin(brokers, new TransactionAdmin.Scope(applicationId, topics));
    List<OpenTransaction> suspects = suspects(admin);
    if (suspects.isEmpty()) {
      return;
    }
    // One that ends just now is gone by then.
    Thread.sleep(PAUSE.toMillis());
    Map<Long, TransactionDescription> coordinated = admin.coordinated();
    for (OpenTransaction each : suspects(admin)) {
      if (suspects.contains(each)) {
        boolean commit = wasCommitted(each, coordinated.get(each.producerId()));
        admin.end(each, commit);
        log.info(
            "{} a transaction that was left open in {} at offset {}",
            commit ? "committed" : "aborted",
            each.partition(),
            each.start());
      }
    }
  }

  private static List<OpenTransaction> suspects(TransactionAdmin admin) {
    return HangingTransactions.suspects(admin.open(), admin.coordinated());
  }

  /** A producer's epoch goes up by one at the end of a transaction. */
  static boolean wasCommitted(OpenTransaction open, @Nullable TransactionDescription coordinated) {
    return coordinated != null
        && coordinated.state() == TransactionState.COMPLETE_COMMIT
        && coordinated.producerEpoch() - open.epoch() <= 1;
  }
}
