package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Finds the quota keys of one partition that are under a penalty, while others change them. */
final class PartitionPenalties {
  /** Heap that a page may take. */
  static final long MOST_BYTES_KEPT = 2L << 20;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final ReadOnlyKeyValueStore<Bytes, byte[]> ledgers;
  private final long nowNanos;

  /**
   * @param nowNanos enforcer time
   */
  PartitionPenalties(ReadOnlyKeyValueStore<Bytes, byte[]> ledgers, long nowNanos) {
    this.ledgers = ledgers;
    this.nowNanos = nowNanos;
  }

  /**
   * Quota keys in order. Takes time in proportion to the quota keys of these rules.
   *
   * @param until the last key of interest, if there is one; later ones are left out
   */
  Page<PenalizedKey> list(
      Collection<Rule> rules, Optional<QuotaKey> after, Optional<QuotaKey> until, int most) {
    List<PenalizedKey> found = new ArrayList<>();
    long kept = 0;
    for (Range range : rangesOf(rules)) {
      Bytes from = after.map(WindowCounts::ledgerKey).orElse(range.from);
      Bytes to = until.map(WindowCounts::ledgerKey).orElse(range.to);
      Bytes start = from.compareTo(range.from) > 0 ? from : range.from;
      Bytes end = to.compareTo(range.to) < 0 ? to : range.to;
      if (start.compareTo(end) > 0) {
        continue;
      }
      try (KeyValueIterator<Bytes, byte[]> rows = ledgers.range(start, end)) {
        while (rows.hasNext()) {
          Optional<PenalizedKey> key = penalized(rows.next(), range.rule);
          if (key.isEmpty() || after.equals(key.map(PenalizedKey::quotaKey))) {
            continue;
          }
          if (found.size() == most || kept > MOST_BYTES_KEPT) {
            return new Page<>(found, true);
          }
          found.add(key.get());
          kept += key.get().heapBytes();
        }
      }
    }
    return new Page<>(found, false);
  }

  private Optional<PenalizedKey> penalized(KeyValue<Bytes, byte[]> row, Rule rule) {
    if (!KeyLedgerCodec.hasPenalty(row.value)) {
      return Optional.empty();
    }
    QuotaKey key = WindowCounts.ledgerOf(row.key);
    PenaltyState penalty = KeyLedgerCodec.read(row.value).penalty();
    if (!key.rule().equals(rule.id()) || !penalty.isInForce(nowNanos)) {
      return Optional.empty();
    }
    return Optional.of(
        new PenalizedKey(
            key,
            rule.mode(),
            instant(penalty.untilNanos() - penalty.lengthNanos()),
            instant(penalty.untilNanos()),
            penalty.inARow()));
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  private record Range(Rule rule, Bytes from, Bytes to) {}

  /** The rows of rules in order; '0' is the character after '/'. */
  private static List<Range> rangesOf(Collection<Rule> rules) {
    return rules.stream()
        .flatMap(
            rule ->
                Stream.of(
                    new Range(rule, row(rule.id(), ""), row(rule.id(), "")),
                    new Range(rule, row(rule.id(), "/"), row(rule.id(), "0"))))
        .sorted(Comparator.comparing(Range::from))
        .toList();
  }

  private static Bytes row(RuleId rule, String rest) {
    return WindowCounts.ledgerKey(rule + rest);
  }
}
