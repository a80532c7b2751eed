package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.operations.OperatorRecords;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;

/** The topics of the prefix as they were created, for commands that read or write records. */
final class PrefixTopics implements AutoCloseable {
  private final Codecs codecs;
  private final Brokers brokers;
  private final Wire wire;
  private final int partitions;

  private PrefixTopics(Codecs codecs, Brokers brokers, Wire wire, int partitions) {
    this.codecs = codecs;
    this.brokers = brokers;
    this.wire = wire;
    this.partitions = partitions;
  }

  /**
   * Connects, and reads the topics' partitions.
   *
   * @throws CommandException if they are not as an enforcer needs them
   */
  static PrefixTopics open(CommonOptions options) {
    Codecs codecs = options.codecs();
    try {
      Brokers brokers = options.connect();
      try {
        TopicCheck.Findings findings =
            TopicCheck.run(brokers, options.prefix(), codecs, System::nanoTime);
        if (!findings.isGood()) {
          throw new CommandException(ExitCode.FAILED, String.join("\n", findings.errors()));
        }
        PrefixInfo prefix = findings.prefix().orElseThrow();
        Wire wire = Wire.of(Topics.under(options.prefix(), prefix.partitions(), codecs));
        return new PrefixTopics(codecs, brokers, wire, prefix.partitions());
      } catch (RuntimeException e) {
        brokers.close();
        throw e;
      }
    } catch (RuntimeException e) {
      codecs.close();
      throw e;
    }
  }

  Brokers brokers() {
    return brokers;
  }

  Wire wire() {
    return wire;
  }

  int partitions() {
    return partitions;
  }

  /** Records by which operators change something. */
  OperatorRecords records() {
    return new OperatorRecords(wire);
  }

  /** Record with the limit of a quota key by data; empty takes it back. */
  ProducerRecord<byte[], byte[]> to(QuotaKey key, Optional<Entitlement> entitlement) {
    return new ProducerRecord<>(
        wire.topics().entitlements().name(),
        key.partition(partitions),
        key.toString().getBytes(StandardCharsets.UTF_8),
        entitlement.map(wire::encode).orElse(null));
  }

  /**
   * Returns once all records are safe.
   *
   * @throws CommandException if one is not; others may be
   */
  void write(List<ProducerRecord<byte[], byte[]>> records) {
    try (RecordWriter writer = new RecordWriter(brokers)) {
      writer.write(records);
    } catch (BrokersException e) {
      throw unsure(e, records.size());
    }
  }

  /** What a write that failed may have changed all the same. */
  static CommandException unsure(BrokersException e, int records) {
    String doubt =
        e.getCause() instanceof AuthorizationException
            ? ""
            : "; it may have been changed all the same%s: look before you repeat it"
                .formatted(records > 1 ? ", for some or for all" : "");
    return new CommandException(ExitCode.of(e), e.getMessage() + doubt, e);
  }

  @Override
  public void close() {
    brokers.close();
    codecs.close();
  }
}
