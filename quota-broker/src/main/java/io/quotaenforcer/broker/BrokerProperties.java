package io.quotaenforcer.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The settings of a broker that is alone. */
final class BrokerProperties {
  static final int NODE_ID = 1;

  private BrokerProperties() {}

  static Properties of(
      Path dataFolder, int brokerPort, int controllerPort, Map<String, String> overrides) {
    Properties props = new Properties();
    props.put("process.roles", "broker,controller");
    props.put("node.id", String.valueOf(NODE_ID));
    props.put("log.dirs", dataFolder.toString());
    props.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:" + brokerPort + ",CONTROLLER://127.0.0.1:" + controllerPort);
    props.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    props.put("controller.listener.names", "CONTROLLER");
    props.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);

    // A single broker has no one to replicate to, or to wait for.
    props.put("default.replication.factor", String.valueOf(1));
    props.put("min.insync.replicas", String.valueOf(1));
    props.put("offsets.topic.replication.factor", String.valueOf(1));
    props.put("offsets.topic.num.partitions", String.valueOf(1));
    props.put("transaction.state.log.replication.factor", String.valueOf(1));
    props.put("transaction.state.log.min.isr", String.valueOf(1));
    props.put("transaction.state.log.num.partitions", String.valueOf(1));
    props.put("share.coordinator.state.topic.replication.factor", String.valueOf(1));
    props.put("share.coordinator.state.topic.min.isr", String.valueOf(1));
    props.put("group.initial.rebalance.delay.ms", String.valueOf(0));
    props.put("auto.create.topics.enable", String.valueOf(false));

    // The value that the enforcer requires of any broker: an abandoned transaction must not block
    // readers.
    props.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", String.valueOf(500));

    // Small: the defaults suit a dedicated machine.
    props.put("log.cleaner.dedupe.buffer.size", String.valueOf(2 << 20));
    props.put("log.index.size.max.bytes", String.valueOf(1 << 20));
    props.put("num.network.threads", String.valueOf(2));
    props.put("num.io.threads", String.valueOf(4));
    props.put("background.threads", String.valueOf(2));
    props.putAll(overrides);
    return props;
  }
}
