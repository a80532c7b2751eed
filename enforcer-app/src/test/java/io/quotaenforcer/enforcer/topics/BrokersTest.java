package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BrokersTest {
  private static final Duration SHORT = Duration.ofSeconds(2);

  @Test
  void nobody_atTheAddress_isUnreachableSoon() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }

    BrokersException refused = failure("127.0.0.1:" + port);

    assertThat(refused.reason()).isEqualTo(BrokersException.Reason.UNREACHABLE);
    assertThat(refused)
        .hasMessage(
            "cannot reach Kafka at 127.0.0.1:%d (test) within 2 s: is it running there, and does it expect this security.protocol?",
            port);
  }

  @Test
  void server_thatNeverAnswers_isUnreachableSoon() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      BrokersException refused = failure("127.0.0.1:" + silent.getLocalPort());

      assertThat(refused.reason()).isEqualTo(BrokersException.Reason.UNREACHABLE);
    }
  }

  @Test
  void host_thatDoesNotExist_isUnreachable() {
    BrokersException refused = failure("no-such-host.invalid:9092");

    assertThat(refused.reason()).isEqualTo(BrokersException.Reason.UNREACHABLE);
    assertThat(refused)
        .hasMessage(
            "cannot reach Kafka at no-such-host.invalid:9092 (test): the name of the host cannot be"
                + " resolved");
  }

  private static BrokersException failure(String servers) {
    return catchThrowableOfType(
        BrokersException.class, () -> Brokers.connect(KafkaConnection.to(servers, "test"), SHORT));
  }
}
