package io.quotaenforcer.enforcer.query;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;

/** Which enforcer has which partition of a store. */
final class PartitionOwners {
  private PartitionOwners() {}

  /**
   * By partition; those that nobody has are left out.
   *
   * @param topic input of the store, whose partitions are those of the store
   * @throws NotReadyException while this enforcer starts or stops
   */
  static Map<Integer, HostInfo> of(KafkaStreams streams, String store, String topic) {
    Map<Integer, HostInfo> owners = new HashMap<>();
    try {
      for (StreamsMetadata enforcer : streams.streamsMetadataForStore(store)) {
        for (TopicPartition partition : enforcer.topicPartitions()) {
          if (partition.topic().equals(topic)) {
            owners.put(partition.partition(), enforcer.hostInfo());
          }
        }
      }
    } catch (IllegalStateException | InvalidStateStoreException e) {
      throw new NotReadyException("the enforcer starts or stops: " + streams.state());
    }
    return owners;
  }
}
