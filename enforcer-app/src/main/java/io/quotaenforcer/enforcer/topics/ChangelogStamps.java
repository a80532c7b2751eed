package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Makes brokers stamp the changelogs that an older version created: otherwise, once one broker or
 * the host is an hour ahead, they refuse rows for their records' time stamps.
 */
public final class ChangelogStamps {
  private static final ConfigEntry STAMPED =
      new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, Topics.STAMPED);

  private ChangelogStamps() {}

  /**
   * Changes existing changelogs.
   *
   * @return failures, with which an enforcer may start nevertheless
   */
  public static Optional<String> set(Brokers brokers, String applicationId) {
    try {
      Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
      TopicState.of(brokers, TopicState.describe(brokers, Stores.changelogs(applicationId)))
          .forEach(
              (name, state) -> {
                if (!state.text(STAMPED.name()).equals(STAMPED.value())) {
                  changes.put(
                      new ConfigResource(ConfigResource.Type.TOPIC, name),
                      List.of(new AlterConfigOp(STAMPED, AlterConfigOp.OpType.SET)));
                }
              });
      brokers
          .admin()
          .incrementalAlterConfigs(changes)
          .values()
          .forEach((topic, answer) -> brokers.get("alter topic " + topic.name(), answer));
      return Optional.empty();
    } catch (BrokersException e) {
      if (e.reason() == BrokersException.Reason.UNREACHABLE) {
        throw e;
      }
      return Optional.of(
          "the changelogs of %s must have %s=%s, or the enforcer stops where a clock is an hour ahead: %s"
              .formatted(applicationId, STAMPED.name(), STAMPED.value(), e.getMessage()));
    }
  }
}
