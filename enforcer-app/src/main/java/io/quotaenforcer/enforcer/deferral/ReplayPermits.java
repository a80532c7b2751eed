package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.allotment.QueuePermits;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Wire;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The permits that the queues of a partition spend: to the ledger they are another instance, which
 * admits only what it was granted.
 */
final class ReplayPermits {
  private static final Logger log = LoggerFactory.getLogger(ReplayPermits.class);

  private static final int MAX_KEYS = 1_000_000;

  private final Wire wire;
  private final String instance;
  private final long epoch;
  private final AllotmentBook book;
  private final SnapshotInbox.Box box;
  private final LongSupplier clock;
  private final int partitions;
  private final int maxInstances;
  private RuleSet rules = RuleSet.empty();
  private boolean following;

  /**
   * @param epoch 64 random bits
   * @param box gets the snapshots for this instance and epoch
   */
  ReplayPermits(
      Wire wire, String instance, long epoch, SnapshotInbox.Box box, DeferralSettings settings) {
    this.wire = wire;
    this.instance = instance;
    this.epoch = epoch;
    this.box = box;
    this.clock = settings.clocks().monotonicNanos();
    this.partitions = settings.fleet().partitions();
    this.maxInstances = settings.fleet().maxInstances();
    long wallOffset = settings.clocks().epochNanos().getAsLong() - clock.getAsLong();
    long secret = new SecureRandom().nextLong();
    this.book = new AllotmentBook(BookSettings.ofQueues(), maxInstances, wallOffset, secret);
  }

  /** Follows the rules in force, and begins once answers can be received. */
  void follow(RuleSet inForce) {
    if (inForce != rules) {
      rules = inForce;
      book.applyRules(strict(inForce), clock.getAsLong());
    }
    if (!following && box.isOpen()) {
      following = true;
      book.applyPrefix(
          new PrefixInfo(partitions, QuotaKey.HASH_VERSION, maxInstances), clock.getAsLong());
    }
  }

  QueuePermits of(Rule rule, QuotaKey key) {
    return book.queue(strict(rule), key);
  }

  long now() {
    return clock.getAsLong();
  }

  /** A time of {@link #now}, by the clock of the ledger of this partition. */
  long enforcerNanos(QuotaKey key, long atNanos) {
    return book.toEnforcerNanos(key, atNanos);
  }

  /** Applies the snapshots that have come, and tells of each quota key in them. */
  void receive(Consumer<QuotaKey> answered) {
    for (SnapshotInbox.Received received = box.poll(); received != null; received = box.poll()) {
      long receivedNanos = received.monotonicNanos();
      QuotaSnapshot snapshot;
      try {
        snapshot = wire.decodeSnapshot(received.value());
      } catch (RuntimeException e) {
        // Anyone with write access to the topic of snapshots can write this.
        log.warn("passed over what is no snapshot for the queues: {}", e.toString());
        continue;
      }
      book.applySnapshot(snapshot, receivedNanos);
      for (QuotaAnswer answer : snapshot.quotas()) {
        answered.accept(answer.quotaKey());
      }
    }
  }

  /** Reports everything taken since the last report, and any other report that is due. */
  void report(Consumer<UsageReport> send) {
    if (!following) {
      return;
    }
    long now = clock.getAsLong();
    for (PartitionReport due : book.reports(now)) {
      for (PartitionReport part : due.parts()) {
        send.accept(
            new UsageReport(
                instance, epoch, now, part.loopNanos(), box.partition(partitions), part.quotas()));
      }
    }
  }

  private static RuleSet strict(RuleSet rules) {
    return RuleSet.of(rules.rules().stream().map(ReplayPermits::strict).toList());
  }

  /** Replays serve nobody, so that no load of an instance is theirs. */
  private static Rule strict(Rule rule) {
    Rule ofAll =
        OwnLimits.areFollowed(rule)
            ? rule.withAdapt(rule.adapt().orElseThrow().withScope(LoadScope.SERVICE))
            : rule;
    return ofAll.withEnforcement(Enforcement.STRICT);
  }
}
