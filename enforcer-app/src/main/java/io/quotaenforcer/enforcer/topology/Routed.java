package io.quotaenforcer.enforcer.topology;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * An encoded record and the partition that it must go to.
 *
 * @param partition of the topic it is sent to
 * @param value null takes away what the key had
 */
record Routed(int partition, byte @Nullable [] value) {

  /** Writes the record's bytes only. */
  static final Serializer<Routed> SERIALIZER = (topic, routed) -> routed.value();

  /**
   * Routes each record to its partition; a partition that does not exist is replaced by one that
   * does.
   */
  static final StreamPartitioner<byte[], Routed> PARTITIONER =
      (topic, key, routed, partitions) ->
          Optional.of(Set.of(Math.floorMod(routed.partition(), partitions)));
}
