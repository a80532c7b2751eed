package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.CapturedLog;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class UnreadableLogTest {
  private static final CodecException NO_REGISTRY =
      new CodecException(Reason.REGISTRY_REQUIRED, "none");

  @RegisterExtension private final CapturedLog log = new CapturedLog(UnreadableLog.class);

  private final UnreadableLog unreadable =
      new UnreadableLog(LoggerFactory.getLogger(UnreadableLog.class));
  private long offset;

  @Test
  void recordsOfOneKind_areLoggedOnceAMinute_withTheirNumber() {
    for (int second = 0; second <= 60; second++) {
      skipped("quota.snapshots", NO_REGISTRY, second);
    }

    assertThat(log.said())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("WARN ")
                    .contains("quota.snapshots-0 offset 0: ")
                    .contains("none"),
            next -> assertThat(next).contains("offset 60 (59 more since the last such line): "));
  }

  @Test
  void anotherTopicOrCause_isLoggedAtOnce() {
    skipped("quota.snapshots", NO_REGISTRY, 0);
    skipped("quota.exhausted", NO_REGISTRY, 1);
    skipped("quota.snapshots", new CodecException(Reason.MALFORMED, "bad"), 2);
    skipped("quota.snapshots", new IllegalArgumentException("odd"), 3);
    skipped("quota.snapshots", new IllegalArgumentException("also odd"), 4);

    assertThat(log.said()).hasSize(4);
  }

  private void skipped(String topic, RuntimeException cause, long seconds) {
    unreadable.skipped(
        new ConsumerRecord<>(topic, 0, offset++, "key", "value"),
        cause,
        TimeUnit.SECONDS.toNanos(seconds));
  }
}
