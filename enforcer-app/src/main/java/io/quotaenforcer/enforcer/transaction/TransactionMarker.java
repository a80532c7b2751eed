package io.quotaenforcer.enforcer.transaction;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * The marker that ends a transaction in one partition. Kafka's admin client can write one that
 * aborts ({@code kafka-transactions.sh abort}), but none that commits; so this speaks the protocol
 * itself, with classes of Kafka's clients that are not part of their public interface.
 */
final class TransactionMarker {
  private static final int TIMEOUT_MILLIS = 5_000;

  /** What the admin client does: the epoch of the marker need not be above that of the records. */
  private static final short ANY_VERSION = 0;

  private TransactionMarker() {}

  /**
   * Writes it; needs the right to alter the cluster.
   *
   * @param leader of the partition; null while it has none
   * @throws org.apache.kafka.common.errors.ApiException if there is no leader, or it refuses
   */
  static void write(
      KafkaConnection connection, @Nullable Node leader, OpenTransaction open, boolean commit)
      throws IOException {
    if (leader == null) {
      throw new LeaderNotAvailableException(open.partition() + " has no leader");
    }
    WriteTxnMarkersRequest.TxnMarkerEntry marker =
        new WriteTxnMarkersRequest.TxnMarkerEntry(
            open.producerId(),
            (short) open.epoch(),
            open.coordinatorEpoch(),
            commit ? TransactionResult.COMMIT : TransactionResult.ABORT,
            List.of(open.partition()),
            ANY_VERSION);
    Time time = Time.SYSTEM;
    try (Metrics metrics = new Metrics();
        KafkaClient client = client(connection, metrics, time)) {
      if (!NetworkClientUtils.awaitReady(client, leader, time, TIMEOUT_MILLIS)) {
        throw new TimeoutException("no connection to " + leader);
      }
      ClientResponse response =
          NetworkClientUtils.sendAndReceive(
              client,
              client.newClientRequest(
                  leader.idString(),
                  new WriteTxnMarkersRequest.Builder(List.of(marker)),
                  time.milliseconds(),
                  true),
              time);
      WriteTxnMarkersResponse answer = (WriteTxnMarkersResponse) response.responseBody();
      answer
          .errorsByProducerId()
          .getOrDefault(open.producerId(), Map.of())
          .getOrDefault(open.partition(), Errors.UNKNOWN_SERVER_ERROR)
          .maybeThrow();
    }
  }

  private static KafkaClient client(KafkaConnection connection, Metrics metrics, Time time) {
    Map<String, Object> properties = new HashMap<>(connection.adminProperties());
    properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return ClientUtils.createNetworkClient(
        new AdminClientConfig(properties),
        "quota-transaction-marker",
        metrics,
        "transaction-marker",
        new LogContext(),
        new ApiVersions(),
        time,
        1,
        TIMEOUT_MILLIS,
        null,
        new ManualMetadataUpdater(),
        new DefaultHostResolver(),
        null,
        null);
  }
}
