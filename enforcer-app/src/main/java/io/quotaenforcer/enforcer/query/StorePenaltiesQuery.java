package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.Stores;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KafkaStreams;

/** Reads the ledgers of this enforcer, and says which enforcers have the others. */
public final class StorePenaltiesQuery implements PenaltiesQuery {
  private final PartitionsOfStore store;
  private final int partitions;
  private final Supplier<RuleSet> rules;
  private final LongSupplier epochNanos;

  /**
   * @param place of the ledgers, by the topic of usage reports
   */
  public StorePenaltiesQuery(
      KafkaStreams streams,
      StoreUsageQuery.Place place,
      Supplier<RuleSet> rules,
      LongSupplier epochNanos) {
    this.store =
        new PartitionsOfStore(streams, Stores.LEDGER, place.topic(), place.self(), place.scheme());
    this.partitions = place.partitions();
    this.rules = rules;
    this.epochNanos = epochNanos;
  }

  @Override
  public CoveredAnswer<Page<PenalizedKey>> list(Where where, Optional<QuotaKey> after, int most) {
    List<Rule> penalizing = penalizing(where.rule());
    long now = epochNanos.getAsLong();
    IntStream wanted =
        IntStream.range(0, partitions)
            .filter(it -> where.partitions().isEmpty() || where.partitions().contains(it));
    return store.ask(
        wanted,
        Page.empty(),
        (soFar, reader) -> {
          Page<PenalizedKey> more =
              new PartitionPenalties(reader.open(Stores.LEDGER), now)
                  .list(penalizing, after, soFar.end().map(PenalizedKey::quotaKey), most);
          return Page.merge(List.of(soFar, more), PenalizedKey.ORDER, most)
              .cut(PenalizedKey::heapBytes, PartitionPenalties.MOST_BYTES_KEPT);
        });
  }

  private List<Rule> penalizing(Optional<RuleId> asked) {
    if (asked.isEmpty()) {
      return rules.get().rules().stream().filter(rule -> rule.penalty().isPresent()).toList();
    }
    RuleId id = asked.get();
    Rule rule =
        rules
            .get()
            .rule(id)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no such rule: %s; quota rules list shows them".formatted(id)));
    if (rule.penalty().isEmpty()) {
      throw new IllegalArgumentException(
          "rule %s has no penalty, so that no quota key is under one".formatted(id));
    }
    return List.of(rule);
  }
}
