package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.schemas.codec.RecordCodec;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.Serde;

/**
 * A topic, with all that it takes to create, write and read it.
 *
 * @param partitions how many it is created with
 * @param config what it is created with beside the broker's defaults
 * @param about what it is for
 */
public record Topic<K, V>(
    String name,
    Serde<K> keySerde,
    Serde<V> valueSerde,
    int partitions,
    Map<String, String> config,
    About about) {

  /**
   * What a topic is for, as the topic reference tells it.
   *
   * @param doc what is written to it
   * @param key what a record's key is
   * @param values schemas of the values; empty when they may be anything
   */
  public record About(String doc, String key, List<Schema> values) {
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
