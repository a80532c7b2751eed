package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The limits that are in force for quota keys, by data and by the load, and who is told when one
 * changes while permits are out.
 */
final class KeyLimits {
  private final RuleBoard rules;
  private final Ledger ledger;
  private final LedgerStores stores;
  private final LedgerReplies replies;
  private final int partition;
  private final EntitlementStore entitlements;
  private final LimitsInForce byLoad;
  private final KeysInUse keysInUse;
  private final LimitNews news;

  /**
   * @param keysInUse is added to
   * @param news takes what instances are to be told
   */
  KeyLimits(
      Workplace place,
      ProcessorContext<byte[], Object> context,
      Ledger ledger,
      LedgerStores stores,
      LedgerReplies replies,
      KeysInUse keysInUse,
      LimitNews news) {
    this.rules = place.rules();
    this.ledger = ledger;
    this.stores = stores;
    this.replies = replies;
    this.partition = context.taskId().partition();
    this.entitlements = new EntitlementStore(context, place.wire(), place.settings().partitions());
    this.byLoad = new LimitsInForce(context, place.wire());
    this.keysInUse = keysInUse;
    this.news = news;
  }

  /** The limit that data gives the key. */
  Limit byData(Rule rule, QuotaKey key) {
    return entitlements.limitOf(rule, key);
  }

  /** With what data gives the key, and so much of it as is in force by the load. */
  LimitsInForce.Part inForce(Rule rule, QuotaKey key) {
    return byLoad.of(rule, byData(rule, key));
  }

  /** Notes that instances use the key. */
  void used(Rule rule, QuotaKey key) {
    if (rule.adapt().isPresent()) {
      keysInUse.add(key);
    }
  }

  /** Tells all instances of a key. */
  void tell(QuotaKey key, ExhaustedQuota what, long now) {
    news.tell(key, what, now);
  }

  /** Data gives a key another limit; the record is in the store already. */
  void changedByData(Record<byte[], byte[]> record) {
    QuotaKey key;
    try {
      key = entitlements.check(record, partition);
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      replies.putAside(record, "entitlement that is not followed: " + e.getMessage(), e);
      return;
    }
    rules
        .rules()
        .rule(key.rule())
        .filter(it -> it.entitlements().isPresent())
        .ifPresent(rule -> tellOf(key, rule));
  }

  /** The load gives a rule another limit; the record is in the store already. */
  void changedByLoad(Record<byte[], byte[]> record) {
    RuleId id;
    try {
      id = byLoad.check(record);
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      replies.putAside(record, "limit in force that is not followed: " + e.getMessage(), e);
      return;
    }
    Optional<Rule> rule = rules.rules().rule(id).filter(it -> it.adapt().isPresent());
    rule.ifPresent(it -> keysInUse.take(id).forEach(key -> tellOf(key, it)));
  }

  private void tellOf(QuotaKey key, Rule rule) {
    Optional<KeyLedger> known = stores.ledger(key);
    if (known.isPresent()) {
      long now = stores.now();
      ledger
          .tellOf(known.get(), rule, inForce(rule, key).limit(), now)
          .ifPresent(what -> tell(key, what, now));
      stores.rest();
    }
  }
}
