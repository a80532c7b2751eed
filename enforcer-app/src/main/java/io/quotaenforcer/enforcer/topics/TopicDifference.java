package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A setting of a topic that is less than what {@code quota topics create} gives a new one, or
 * another: the topic was made by an older version, or by hand. A larger value counts as deliberate.
 *
 * @param wanted as a new topic has it
 */
public record TopicDifference(String topic, String setting, String is, String wanted) {
  private static final List<String> COMPARED =
      List.of(
          TopicConfig.RETENTION_MS_CONFIG,
          TopicConfig.SEGMENT_MS_CONFIG,
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

  private static final long WITHOUT_END = -1;

  /** Differences of one topic. */
  static List<TopicDifference> of(Topic<?, ?> topic, TopicState state) {
    List<TopicDifference> differences = new ArrayList<>();
    for (String setting : COMPARED) {
      String wanted = topic.config().get(setting);
      if (wanted != null) {
        long is = state.number(setting);
        if (is != WITHOUT_END && is < Long.parseLong(wanted)) {
          differences.add(new TopicDifference(topic.name(), setting, Long.toString(is), wanted));
        }
      }
    }
    String stamped = topic.config().get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    if (stamped != null) {
      String is = state.text(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
      if (!is.equals(stamped)) {
        differences.add(
            new TopicDifference(
                topic.name(), TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, is, stamped));
      }
    }
    return differences;
  }

  /** The difference in words. */
  public String text() {
    return "topic %s has %s=%s, and should have %s".formatted(topic, setting, is, wanted);
  }
}
