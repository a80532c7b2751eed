package io.quotaenforcer.enforcer.operations;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class KafkaOperationsTest {
  private static final QuotaKey KEY = QuotaKey.parse("a/b");

  private static AuditRecord audit() {
    AuditRecord.Who who = new AuditRecord.Who("olga", "operator", "127.0.0.1");
    AuditRecord.What what = new AuditRecord.What("penalty-lift", "a/b");
    return new AuditRecord(
        0,
        who,
        what,
        new AuditRecord.Result(AuditRecord.Outcome.DONE, "", AuditRecord.Change.NONE));
  }

  /** The first change waits for a broker that never says anything. */
  @Test
  void changeBesideAnother_isBusy() throws Exception {
    try (ServerSocket broker = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      KafkaOperations operations =
          new KafkaOperations(
              KafkaConnection.to("127.0.0.1:" + broker.getLocalPort(), "the test"),
              Duration.ofSeconds(3),
              Wire.of("quota.", Codecs.withoutRegistry()),
              "writer");
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(() -> operations.lift(KEY, audit()));
      broker.accept();

      assertThatThrownBy(() -> operations.lift(KEY, audit()))
          .isInstanceOf(OperationException.Busy.class)
          .hasMessageContaining("nothing was changed");
      assertThatThrownBy(first::join).hasCauseInstanceOf(OperationException.class);
    }
  }
}
