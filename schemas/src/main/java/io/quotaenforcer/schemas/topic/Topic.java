package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.codec.RecordCodec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.Serde;

/**
 * A topic, with everything needed to create, write and read it.
 *
 * @param partitions number at its creation
 * @param config settings at its creation besides the broker's defaults
 * @param about its description
 */
public record Topic<K, V>(
    String name,
    Serde<K> keySerde,
    Serde<V> valueSerde,
    int partitions,
    Map<String, String> config,
    About about) {

  /**
   * Description of a topic for the topic reference.
   *
   * @param doc the records written to it
   * @param key meaning of a record's key
   * @param values types of the values; empty if any value is allowed
   */
  public record About(String doc, String key, List<RecordType<?>> values) {
    public About {
      values = List.copyOf(values);
    }
  }

  public Topic {
    if (partitions < 1) {
      throw new IllegalArgumentException("must be >= 1: partitions=" + partitions);
    }
    config = Map.copyOf(config);
  }

  public NewTopic creation(short replicationFactor) {
    return new NewTopic(name, partitions, replicationFactor).configs(config);
  }

  /**
   * Registers the schemas of the values now instead of with the first record, so that a registry
   * that refuses them is found at the start; for those who write to the topic.
   *
   * @throws io.quotaenforcer.schemas.codec.CodecException if the registry refuses or is away
   */
  public void registerSchemas() {
    if (valueSerde instanceof RecordCodec<?> codec) {
      codec.register();
    }
  }
}
