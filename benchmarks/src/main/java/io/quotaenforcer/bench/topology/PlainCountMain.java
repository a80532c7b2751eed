package io.quotaenforcer.bench.topology;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.WindowStore;

/**
 * The program of a user who only wants to count: requests per user and second, with the DSL of
 * Kafka Streams. Runs until it is killed.
 */
final class PlainCountMain {
  static final String GROUP = "plain-count";

  private PlainCountMain() {}

  /** Arguments: bootstrap servers, input topic, folder of the stores. */
  public static void main(String[] arguments) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, GROUP);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, arguments[2]);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, TopologyScale.THREADS);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, TopologyScale.COMMIT_MILLIS);
    properties.put(
        StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG,
        (long) TopologyScale.PLAIN_CACHE_MEBIBYTES << 20);
    properties.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    new KafkaStreams(count(arguments[1]), properties).start();
  }

  static Topology count(String topic) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(topic, Consumed.with(Serdes.String(), Serdes.String()))
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofSeconds(1)))
        .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts"));
    return builder.build();
  }
}
