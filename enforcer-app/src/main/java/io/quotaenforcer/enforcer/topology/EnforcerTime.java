package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.enforcer.clock.EnforcerClock;
import io.quotaenforcer.enforcer.store.PartitionTimeRow;
import io.quotaenforcer.enforcer.store.RowKind;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The time of one partition, kept in the partition's store. */
final class EnforcerTime {
  private static final Bytes ROW = RowKind.TIME.key(new byte[0]);

  private final EnforcerClock clock;
  private final KeyValueStore<Bytes, byte[]> store;
  private final PartitionTime time;

  EnforcerTime(LedgerSettings settings, EnforcerClock clock, KeyValueStore<Bytes, byte[]> store) {
    this.clock = clock;
    this.store = store;
    clock.confirm();
    this.time =
        new PartitionTime(
            settings, Optional.ofNullable(store.get(ROW)).map(PartitionTimeRow::read));
  }

  long now() {
    // Read first: the reading itself may reveal that the clock is in doubt.
    long reading = clock.getAsLong();
    return clock.trouble().isEmpty() ? time.now(reading) : time.nowInDoubt(reading);
  }

  /** Lead over this enforcer's clock that was adopted from a predecessor's wrong one. */
  Duration adopted() {
    return Duration.ofNanos(time.adoptedNanos());
  }

  Tenure tenure(long commit) {
    return time.tenure(commit);
  }

  /** Whether present grants may leave at once. */
  boolean mayAnswer(long commit) {
    return clock.trouble().isEmpty() && time.mayAnswer(commit);
  }

  void write(long commit) {
    time.toKeep(commit).ifPresent(this::write);
  }

  /**
   * Called as late as possible in the transaction: after the commit there must be time left to
   * answer in.
   *
   * @param transactionNanos how long the transaction before took
   */
  void finish(long commit, long transactionNanos) {
    now();
    time.committed(transactionNanos);
    time.toKeepAtEnd(commit).ifPresent(this::write);
  }

  /** Stops answering, and tells the successor so. */
  void handOver() {
    time.handOver().ifPresent(this::write);
  }

  private void write(PartitionTime.Kept kept) {
    store.put(ROW, PartitionTimeRow.write(kept));
  }
}
