package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.store.Stores;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the queues in the stores of this enforcer, and says which enforcers have the others. */
public final class StoreDeferredQuery implements DeferredQuery {
  /** Each may have a payload of 1 MiB. */
  private static final int MOST_OF_ONE_ID = 10;

  private final KafkaStreams streams;
  private final String topic;
  private final int partitions;
  private final HostInfo self;
  private final String scheme;
  private final Function<byte[], DeferredRequest> decode;

  /**
   * @param topic the queues' input topic
   * @param partitions of the topic
   * @param self address of this enforcer's HTTP server, as configured in Kafka Streams
   * @param scheme of the HTTP servers of all enforcers
   * @param decode decodes a deferred request
   */
  public StoreDeferredQuery(
      KafkaStreams streams,
      String topic,
      int partitions,
      HostInfo self,
      String scheme,
      Function<byte[], DeferredRequest> decode) {
    this.streams = streams;
    this.topic = topic;
    this.partitions = partitions;
    this.self = self;
    this.scheme = scheme;
    this.decode = decode;
  }

  @Override
  public DeferredAnswer<List<QueueStats>> statsByRule(Where where) {
    return ask(
            where,
            new TreeMap<String, QueueStats>(),
            (sums, queues) -> {
              queues
                  .statsByRule(where.scope())
                  .forEach(stats -> sums.merge(stats.name(), stats, QueueStats::plus));
              return sums;
            })
        .map(sums -> List.copyOf(sums.values()));
  }

  @Override
  public DeferredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
    return ask(
        where,
        Page.empty(),
        (soFar, queues) ->
            Page.merge(
                    List.of(soFar, queues.statsByKey(where.scope(), most)),
                    QueueStats.MOST_FIRST,
                    most)
                .cut(QueueStats::heapBytes, PartitionQueues.MOST_BYTES_KEPT));
  }

  @Override
  public DeferredAnswer<Page<DeferredEntry>> list(
      Where where, Optional<DeferredPlace> after, int most) {
    return ask(where, Page.empty(), ListQuestion.of(where, after, most)::add);
  }

  @Override
  public DeferredAnswer<List<DeferredEntry>> show(String id, Set<Integer> asked) {
    return ask(
        new Where(DeferredScope.ALL, asked),
        List.of(),
        (soFar, queues) -> {
          List<DeferredEntry> all = new ArrayList<>(soFar);
          all.addAll(queues.show(id, MOST_OF_ONE_ID - all.size()));
          return all;
        });
  }

  private int[] wanted(Where where) {
    return where
        .scope()
        .partitions(partitions)
        .filter(it -> where.partitions().isEmpty() || where.partitions().contains(it))
        .toArray();
  }

  /**
   * Asks one partition after the other.
   *
   * @param question adds a partition's findings to those so far; if it throws, nothing is added
   */
  private <T> DeferredAnswer<T> ask(
      Where where, T none, BiFunction<T, PartitionQueues, T> question) {
    Map<Integer, HostInfo> owners = PartitionOwners.of(streams, Stores.DEFERRAL, topic);
    T found = none;
    List<Integer> answered = new ArrayList<>();
    List<Integer> missing = new ArrayList<>();
    Map<URI, List<Integer>> elsewhere = new HashMap<>();
    for (int partition : wanted(where)) {
      HostInfo owner = owners.get(partition);
      if (owner != null && !owner.equals(self)) {
        elsewhere
            .computeIfAbsent(EnforcerUri.of(owner, scheme), enforcer -> new ArrayList<>())
            .add(partition);
        continue;
      }
      try {
        found =
            question.apply(
                found,
                new PartitionQueues(
                    store(Stores.DEFERRAL, partition),
                    store(Stores.DEFERRED_REQUESTS, partition),
                    decode));
        answered.add(partition);
      } catch (InvalidStateStoreException e) {
        missing.add(partition);
      }
    }
    return new DeferredAnswer<>(found, new Coverage(answered, elsewhere, missing));
  }

  private ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
    return streams.store(
        StoreQueryParameters.fromNameAndType(
                name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
            .withPartition(partition));
  }
}
