package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The limits of a partition's quota keys by data. Rows are the records of the topic, as they came:
 * a successor reads them from there.
 */
final class EntitlementStore {
  private final KeyValueStore<Bytes, byte[]> store;
  private final Wire wire;
  private final int partitions;
  private final RegistryPatience patience = new RegistryPatience();

  EntitlementStore(ProcessingContext context, Wire wire, int partitions) {
    this.store = context.getStateStore(Stores.ENTITLEMENTS);
    this.wire = wire;
    this.partitions = partitions;
  }

  /** The limit of a quota key: by data, if the rule takes it from there and there is any. */
  Limit limitOf(Rule rule, QuotaKey key) {
    return rule.entitlements().isEmpty() ? rule.limitOf(key) : rule.limitOf(key, of(key));
  }

  /** Empty where there is none that can be read: that it cannot was said when it came. */
  private Optional<Entitlement> of(QuotaKey key) {
    byte[] row = store.get(Bytes.wrap(key.toString().getBytes(StandardCharsets.UTF_8)));
    if (row == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(row));
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * The quota key that a record of the topic is for.
   *
   * @throws IllegalArgumentException saying why it is not followed, if so
   */
  QuotaKey check(Record<byte[], byte[]> record, int partition) {
    QuotaKey key = QuotaKey.parse(new String(record.key(), StandardCharsets.UTF_8));
    if (key.partition(partitions) != partition) {
      throw new IllegalArgumentException(
          "must be in partition %d: %s".formatted(key.partition(partitions), key));
    }
    if (record.value() != null) {
      read(record.value());
    }
    return key;
  }

  private Entitlement read(byte[] value) {
    return patience.read(() -> wire.decodeEntitlement(value));
  }
}
