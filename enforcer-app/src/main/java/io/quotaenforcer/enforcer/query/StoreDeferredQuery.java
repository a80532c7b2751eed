package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;

/** Reads the queues in the stores of this enforcer, and says which enforcers have the others. */
public final class StoreDeferredQuery implements DeferredQuery {
  /** Each may have a payload of 1 MiB. */
  private static final int MOST_OF_ONE_ID = 10;

  private final PartitionsOfStore store;
  private final int partitions;
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
    this.store = new PartitionsOfStore(streams, Stores.DEFERRAL, topic, self, scheme);
    this.partitions = partitions;
    this.decode = decode;
  }

  @Override
  public CoveredAnswer<List<QueueStats>> statsByRule(Where where) {
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
  public CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
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
  public CoveredAnswer<Page<DeferredEntry>> list(
      Where where, Optional<DeferredPlace> after, int most) {
    return ask(where, Page.empty(), ListQuestion.of(where, after, most)::add);
  }

  @Override
  public CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> asked) {
    return ask(
        new Where(DeferredScope.ALL, asked),
        List.of(),
        (soFar, queues) -> {
          List<DeferredEntry> all = new ArrayList<>(soFar);
          all.addAll(queues.show(id, MOST_OF_ONE_ID - all.size()));
          return all;
        });
  }

  private <T> CoveredAnswer<T> ask(
      Where where, T none, BiFunction<T, PartitionQueues, T> question) {
    return store.ask(
        wanted(where),
        none,
        (soFar, reader) ->
            question.apply(
                soFar,
                new PartitionQueues(
                    reader.open(Stores.DEFERRAL), reader.open(Stores.DEFERRED_REQUESTS), decode)));
  }

  private IntStream wanted(Where where) {
    return where
        .scope()
        .partitions(partitions)
        .filter(it -> where.partitions().isEmpty() || where.partitions().contains(it));
  }
}
