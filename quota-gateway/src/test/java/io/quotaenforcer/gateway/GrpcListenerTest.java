package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of the gRPC port that take connections and do nothing with them. */
@Timeout(60)
class GrpcListenerTest {

  @Test
  void connection_beyondTheBound_isClosed_andAnotherOneMayFollowOneThatEnded() throws Exception {
    GrpcListener listener = start(2, Duration.ofMinutes(5));
    try (Socket first = connect(listener);
        Socket second = connect(listener);
        Socket third = connect(listener)) {
      assertThat(isServed(first)).isTrue();
      assertThat(isServed(second)).isTrue();
      assertThat(isServed(third)).isFalse();

      first.close();

      await().atMost(Duration.ofSeconds(30)).until(() -> isServedAnew(listener));
    } finally {
      listener.close();
    }
  }

  @Test
  void connection_thatIsIdle_isClosed() throws Exception {
    GrpcListener listener = start(2, Duration.ofSeconds(1));
    try (Socket socket = connect(listener)) {
      socket.setSoTimeout(40_000);
      assertThat(isServed(socket)).isTrue();

      while (read(socket) >= 0) {
        Thread.onSpinWait();
      }
    } finally {
      listener.close();
    }
  }

  private static GrpcListener start(int connections, Duration idle) {
    return GrpcListener.start(
        "127.0.0.1",
        0,
        new GrpcListener.Bounds(connections, idle, UnfinishedRequests.ofGateway()),
        Optional.empty(),
        List.of(),
        List.of());
  }

  private static Socket connect(GrpcListener listener) throws IOException {
    Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listener.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static boolean isServedAnew(GrpcListener listener) throws IOException {
    try (Socket socket = connect(listener)) {
      return isServed(socket);
    }
  }

  /** Whether the server says anything: its settings are the first that it sends. */
  private static boolean isServed(Socket socket) {
    return read(socket) >= 0;
  }

  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException reset) {
      return -1;
    }
  }
}
