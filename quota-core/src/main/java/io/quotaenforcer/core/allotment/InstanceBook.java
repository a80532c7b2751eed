package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;

/**
 * The side of an instance's book that faces the enforcer: what arrives from it, and what is to be
 * told to it. Methods exclude each other; none waits.
 */
public interface InstanceBook {

  /** Puts other rules in force. */
  void applyRules(RuleSet newRules, long now);

  /**
   * Puts those of other rules in force that are known, while another is not: whether it matches a
   * request nobody can say. A request that none of them matches is answered as before there were
   * rules. If that answer refuses, every request may be one that is to be refused: then none of
   * them is in force, and all requests are answered so.
   *
   * @return whether they are in force
   */
  default boolean applyIncomplete(RuleSet readable, long now) {
    applyRules(readable, now);
    return true;
  }

  /** All rules that there were at this time are in force. */
  default void rulesHeard(long now) {}

  /** Puts in force what this instance's own load leaves of limits that follow it. */
  default void applyOwnLimits(OwnLimits limits) {}

  /** Learns what is fixed for the topics; only then can anything be reported. */
  void applyPrefix(PrefixInfo prefix, long now);

  /** Applies the enforcer's answer to a report of this instance. */
  void applySnapshot(QuotaSnapshot snapshot, long receivedNanos);

  /** Learns that a key has no permits left, or is abused. */
  void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now);

  /** Partitions of the usage topic; 0 before {@link #applyPrefix}. */
  int partitions();

  /** The reports that are due now. */
  List<PartitionReport> reports(long now);

  /**
   * Whether {@link #reports} has nothing to say or to look after until the signal of {@link
   * #whenWoken}, but for forgetting keys: some calls a second are enough.
   */
  boolean isQuiet();

  /**
   * Sets what is called when the book is not quiet any more: by any thread, also by one that
   * decides, so that it must be quick. To be called before the book is used.
   */
  void whenWoken(Runnable signal);

  /** Gives everything back, and returns the reports that say so. */
  List<PartitionReport> close(long now);

  /** Whether the enforcer has booked all that was ever taken; after {@link #close} only. */
  boolean isSettled();
}
