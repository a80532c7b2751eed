package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;

/**
 * The instance's links to the partitions of the usage topic; one for all until their number is
 * known. {@link #of}, {@link #partitionOf} and {@link #count} may be called by any thread.
 */
final class PartitionLinks {
  private final BookSettings settings;
  private final long wallOffsetNanos;
  private final RulesHeard rules;
  private final PartitionLink unassigned;
  private volatile PartitionLink[] links = {};

  /**
   * @param wallOffsetNanos epoch time minus monotonic time when this starts; used for window
   *     borders until the enforcer's own clock is known
   */
  PartitionLinks(BookSettings settings, long wallOffsetNanos) {
    this.settings = settings;
    this.wallOffsetNanos = wallOffsetNanos;
    this.rules = new RulesHeard(settings.evictAfterNanos());
    this.unassigned = new PartitionLink(settings, wallOffsetNanos, rules);
  }

  /** Learns the number of partitions; false if it was known. */
  boolean assign(int partitions, long now) {
    boolean isNew = links.length == 0;
    if (isNew) {
      PartitionLink[] created = new PartitionLink[partitions];
      for (int i = 0; i < created.length; i++) {
        created[i] = new PartitionLink(settings, wallOffsetNanos, rules);
      }
      links = created;
      unassigned.answered(now, now + wallOffsetNanos, now);
    }
    return isNew;
  }

  /** When the instance knew the rules. */
  RulesHeard rules() {
    return rules;
  }

  /** Local time went on by {@code nanos} at once; the enforcers' has, or not. */
  void stoodStill(long nanos) {
    for (PartitionLink link : links) {
      link.stoodStill(nanos);
    }
  }

  /** 0 until {@link #assign}. */
  int count() {
    return links.length;
  }

  /** Partitions for which the enforcer is away. */
  int awayAt(long now) {
    int away = 0;
    for (PartitionLink link : links) {
      away += link.isAwayAt(now) ? 1 : 0;
    }
    return away;
  }

  long unansweredNanos(long now) {
    long longest = 0;
    for (PartitionLink link : links) {
      longest = Math.max(longest, link.unansweredNanos(now));
    }
    return longest;
  }

  PartitionLink get(int partition) {
    return links[partition];
  }

  PartitionLink of(QuotaKey key) {
    PartitionLink[] known = links;
    return known.length == 0 ? unassigned : known[key.partition(known.length)];
  }

  /** -1 until {@link #assign}. */
  int partitionOf(QuotaKey key) {
    PartitionLink[] known = links;
    return known.length == 0 ? -1 : key.partition(known.length);
  }

  boolean isUnassigned(PartitionLink link) {
    return link == unassigned;
  }

  /** A report was due, and could not leave since the partitions are not known. */
  void couldNotSend(long now) {
    unassigned.sent(now);
  }

  /** From one grant to the next: a report waits for its turn, then for its answer. */
  long cycleNanos(int partition) {
    long loop = links[partition].loopNanos();
    return loop == 0 ? 0 : settings.reportIntervalNanos() + loop;
  }
}
