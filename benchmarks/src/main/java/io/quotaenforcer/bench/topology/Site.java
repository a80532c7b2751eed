package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A broker in this process, and a folder for the process that counts. */
final class Site implements AutoCloseable {
  private static final String ENFORCER_GROUP = "quota-enforcer";

  final Wire wire =
      Wire.of(
          Topics.under(Topics.DEFAULT_PREFIX, TopologyScale.PARTITIONS, Codecs.withoutRegistry()));
  private final TemporaryFolder folder = TemporaryFolder.create("quota-bench-topology-");
  private final EmbeddedBroker broker = EmbeddedBroker.start();
  final Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));

  Path folder() {
    return folder.path();
  }

  String servers() {
    return broker.bootstrapServers();
  }

  EnforcerChild startEnforcer(Duration lease) throws IOException {
    return EnforcerChild.start(
        folder().resolve("enforcer"),
        servers(),
        new EnforcerChild.Limits(
            TopologyScale.HEAP_MEBIBYTES, TopologyScale.ROCKSDB_MEBIBYTES, lease));
  }

  /** The enforcer's progress through its input. */
  GroupProgress progressOfEnforcer() {
    return new GroupProgress(admin, ENFORCER_GROUP);
  }

  @Override
  public void close() {
    admin.close();
    broker.close();
    folder.close();
  }
}
