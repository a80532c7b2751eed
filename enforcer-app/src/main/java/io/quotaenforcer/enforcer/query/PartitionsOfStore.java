package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The partitions of a store, of which this enforcer has some.
 *
 * @param store its name
 * @param topic the input whose partitions are those of the store
 * @param self address of this enforcer's HTTP server, as configured in Kafka Streams
 * @param scheme of all enforcers' addresses
 */
record PartitionsOfStore(
    KafkaStreams streams, String store, String topic, HostInfo self, String scheme) {
  /** Reads stores of one partition; throws while the partition is restored or moved. */
  @FunctionalInterface
  interface Reader {
    ReadOnlyKeyValueStore<Bytes, byte[]> open(String store);
  }

  /**
   * Asks one partition after the other.
   *
   * @param question adds a partition's findings to those so far; if it throws, nothing is added
   */
  <T> CoveredAnswer<T> ask(IntStream wanted, T none, BiFunction<T, Reader, T> question) {
    Map<Integer, HostInfo> owners = PartitionOwners.of(streams, store, topic);
    T found = none;
    List<Integer> answered = new ArrayList<>();
    List<Integer> missing = new ArrayList<>();
    Map<URI, List<Integer>> elsewhere = new HashMap<>();
    for (int partition : wanted.toArray()) {
      HostInfo owner = owners.get(partition);
      if (owner != null && !owner.equals(self)) {
        elsewhere
            .computeIfAbsent(EnforcerUri.of(owner, scheme), enforcer -> new ArrayList<>())
            .add(partition);
        continue;
      }
      try {
        found = question.apply(found, name -> open(name, partition));
        answered.add(partition);
      } catch (InvalidStateStoreException e) {
        missing.add(partition);
      }
    }
    return new CoveredAnswer<>(found, new Coverage(answered, elsewhere, missing));
  }

  private ReadOnlyKeyValueStore<Bytes, byte[]> open(String name, int partition) {
    return streams.store(
        StoreQueryParameters.fromNameAndType(
                name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
            .withPartition(partition));
  }
}
