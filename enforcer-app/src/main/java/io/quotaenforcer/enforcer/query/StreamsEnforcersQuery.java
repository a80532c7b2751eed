package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.List;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** Lists the enforcers that have a part in the current assignment of partitions. */
public final class StreamsEnforcersQuery implements EnforcersQuery {
  private final KafkaStreams streams;
  private final String scheme;

  /**
   * @param scheme of the HTTP servers of all enforcers
   */
  public StreamsEnforcersQuery(KafkaStreams streams, String scheme) {
    this.streams = streams;
    this.scheme = scheme;
  }

  @Override
  public List<URI> enforcers() {
    try {
      return streams.metadataForAllStreamsClients().stream()
          .map(StreamsMetadata::hostInfo)
          .filter(host -> !host.equals(HostInfo.unavailable()))
          .map(host -> EnforcerUri.of(host, scheme))
          .distinct()
          .sorted()
          .toList();
    } catch (IllegalStateException e) {
      throw new NotReadyException("the enforcer starts or stops: " + streams.state());
    }
  }
}
