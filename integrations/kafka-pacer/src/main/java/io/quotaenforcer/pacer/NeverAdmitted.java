package io.quotaenforcer.pacer;

import io.quotaenforcer.core.Decision;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The treatment of records that no rule will ever admit: they cost more than a limit ever gives, or
 * an override denies their quota key. Their partition would stand still for ever.
 */
@FunctionalInterface
public interface NeverAdmitted<K, V> {

  /**
   * Looks at such a record. Called by the thread that polls, when all before it in its partition
   * were handed out, by this poll or an earlier one. If it throws, the record waits, and is given
   * to it again after the backoff; that is logged, at most once a minute.
   *
   * @param decision says which rule, and whether by its limit or by an override
   * @return true to hand the record out without permits; false if it is dealt with, and counts as
   *     handed out
   */
  boolean handOut(ConsumerRecord<K, V> consumed, Decision decision);
}
