package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.ledger.Holding;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord.WindowUsage;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCounts;
import io.quotaenforcer.schemas.setting.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the ledger stores of this enforcer, or says which enforcer has a key. */
public final class StoreUsageQuery implements UsageQuery, KeyQuery {
  private static final int MAX_WINDOWS = 100;
  private static final Serializer<QuotaKey> KEY_SERIALIZER =
      (topic, key) -> key.toString().getBytes(StandardCharsets.UTF_8);

  private final KafkaStreams streams;
  private final Supplier<RuleSet> rules;
  private final LongSupplier epochNanos;
  private final Place place;

  /** How far copies are behind is asked of the brokers, which may take seconds to answer. */
  private final Semaphore lagTurn = new Semaphore(1);

  /**
   * Where this enforcer is among the others.
   *
   * @param topic of usage reports
   * @param partitions of the prefix
   * @param self address of this enforcer's HTTP server, as configured in Kafka Streams
   * @param scheme of the HTTP servers of all enforcers
   */
  public record Place(String topic, int partitions, HostInfo self, String scheme) {}

  public StoreUsageQuery(
      KafkaStreams streams, Supplier<RuleSet> rules, LongSupplier epochNanos, Place place) {
    this.streams = streams;
    this.rules = rules;
    this.epochNanos = epochNanos;
    this.place = place;
  }

  @Override
  public UsageAnswer usage(RuleId id, Map<String, String> attributes) {
    Optional<Rule> rule = rules.get().rule(id);
    if (rule.isEmpty()) {
      return new UsageAnswer.NotFound("no such rule: " + id);
    }
    List<String> names = rule.get().key().names();
    if (!attributes.keySet().equals(Set.copyOf(names))) {
      return new UsageAnswer.Invalid(
          "must name the rule's key attributes, which are " + names + ": " + attributes.keySet(),
          rule.get().key().hashed());
    }
    List<String> values = names.stream().map(attributes::get).toList();
    QuotaKey key;
    try {
      key = rule.get().quotaKeyOf(values);
    } catch (IllegalArgumentException e) {
      return new UsageAnswer.Invalid(String.valueOf(e.getMessage()), rule.get().key().hashed());
    }
    return usage(key, rule.get());
  }

  @Override
  public UsageAnswer usage(QuotaKey key) {
    Optional<Rule> rule = rules.get().rule(key.rule());
    return rule.isEmpty()
        ? new UsageAnswer.NotFound("no such rule: " + key.rule())
        : usage(key, rule.get());
  }

  private UsageAnswer usage(QuotaKey key, Rule rule) {
    try {
      return read(key, rule);
    } catch (InvalidStateStoreException e) {
      return new UsageAnswer.NotReady("the store is being restored or moved");
    }
  }

  @Override
  public Optional<Copy> copyOf(QuotaKey key) {
    Optional<Rule> rule = rules.get().rule(key.rule());
    int partition = key.partition(place.partitions());
    if (!lagTurn.tryAcquire()) {
      return Optional.empty();
    }
    try {
      LagInfo lag =
          streams.allLocalStorePartitionLags().getOrDefault(Stores.LEDGER, Map.of()).get(partition);
      if (rule.isEmpty() || lag == null) {
        return Optional.empty();
      }
      ReadOnlyKeyValueStore<Bytes, byte[]> copy =
          streams.store(ledgerOf(partition).enableStaleStores());
      return record(key, rule.get(), copy).map(usage -> new Copy(usage, lag.offsetLag()));
    } catch (IllegalStateException | StreamsException e) {
      return Optional.empty();
    } finally {
      lagTurn.release();
    }
  }

  @Override
  public Found search(String prefix, String after, int most) {
    Map<Integer, HostInfo> owners = PartitionOwners.of(streams, Stores.LEDGER, place.topic());
    Page<KeyFacts> found = Page.empty();
    List<Integer> answered = new ArrayList<>();
    for (int partition = 0; partition < place.partitions(); partition++) {
      if (!place.self().equals(owners.get(partition))) {
        continue;
      }
      try {
        Page<KeyFacts> more =
            PartitionKeys.search(
                streams.store(ledgerOf(partition)), prefix, after, most, epochNanos.getAsLong());
        found =
            Page.merge(List.of(found, more), Comparator.comparing(KeyFacts::quotaKey), most)
                .cut(KeyFacts::heapBytes, PartitionKeys.MOST_BYTES_KEPT);
        answered.add(partition);
      } catch (InvalidStateStoreException e) {
        // Being restored or moved: it is not among the answered ones.
        continue;
      }
    }
    return new Found(found, answered, place.partitions());
  }

  private static StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> ledgerOf(
      int partition) {
    return StoreQueryParameters.fromNameAndType(
            Stores.LEDGER, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
        .withPartition(partition);
  }

  private UsageAnswer read(QuotaKey key, Rule rule) {
    StreamPartitioner<QuotaKey, Object> partitioner =
        (topic, quotaKey, value, partitions) -> Optional.of(Set.of(quotaKey.partition(partitions)));
    KeyQueryMetadata metadata = streams.queryMetadataForKey(Stores.LEDGER, key, partitioner);
    if (metadata == null || metadata.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
      return new UsageAnswer.NotReady("it is not known yet which enforcer counts this key");
    }
    HostInfo owner = metadata.activeHost();
    if (!owner.equals(place.self())) {
      return new UsageAnswer.Elsewhere(EnforcerUri.of(owner, place.scheme()));
    }
    return record(key, rule, streams.store(ledgerOf(metadata.partition())))
        .<UsageAnswer>map(UsageAnswer.Found::new)
        .orElseGet(() -> new UsageAnswer.NotFound("nothing was counted for " + key));
  }

  private Optional<QuotaUsageRecord> record(
      QuotaKey key, Rule rule, ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    WindowCounts.OfKey stored = WindowCounts.of(store, key, MAX_WINDOWS);
    Optional<KeyLedger> ledger = stored.ledger().map(KeyLedgerCodec.Row::ledger);
    List<WindowUsage> windows = stored.windows().stream().map(StoreUsageQuery::window).toList();
    if (ledger.isEmpty() && windows.isEmpty()) {
      return Optional.empty();
    }
    // By data, and by the load, as of when the key was last reported.
    Limit limit =
        ledger
            .filter(it -> rule.limitsMayDiffer() && it.generation() == rule.generation())
            .map(KeyLedger::limit)
            .orElseGet(() -> rule.limitOf(key));
    long now = epochNanos.getAsLong();
    return Optional.of(
        new QuotaUsageRecord(
            key.toString(),
            rule.denies(key) ? "denied" : text(limit) + byLoad(rule, rule.limitOf(key), limit),
            rule.denies(key)
                ? 0
                : ledger.map(known -> known.available(now)).orElse(limit.permits()),
            ledger.map(known -> known.outstanding(now)).orElse(0L),
            ledger.map(known -> known.holders().size()).orElse(0),
            ledger
                .map(KeyLedger::penalty)
                .filter(penalty -> penalty.isInForce(now))
                .map(penalty -> EpochNanos.instant(penalty.untilNanos())),
            windows,
            ledger.map(known -> Holding.of(known, now)).orElse(List.of())));
  }

  private static WindowUsage window(WindowCount count) {
    long start = count.windowStartNanos();
    return new WindowUsage(EpochNanos.instant(start), count.used(), count.throttled());
  }

  /** Of a limit that follows the load, and is another than the rule has, what that is. */
  private static String byLoad(Rule rule, Limit whole, Limit limit) {
    return rule.adapt().isEmpty() || whole.permits() == limit.permits()
        ? ""
        : ", by the load, of %d".formatted(whole.permits());
  }

  private static String text(Limit limit) {
    LimitTerms terms = limit.terms();
    String period =
        terms.windows() instanceof Windows.Calendar calendar
            ? calendar.unit().name().toLowerCase(Locale.ROOT) + " (" + calendar.zone() + ")"
            : DurationText.format(Duration.ofNanos(limit.periodNanos()));
    String kind = terms.algorithm().name().toLowerCase(Locale.ROOT).replace('_', '-');
    String burst = terms.burst() > 0 ? ", burst " + terms.burst() : "";
    return "%d per %s, %s%s".formatted(limit.permits(), period, kind, burst);
  }
}
