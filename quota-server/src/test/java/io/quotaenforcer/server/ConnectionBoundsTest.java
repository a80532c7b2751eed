package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send too much at once, or too slowly. */
@Timeout(60)
class ConnectionBoundsTest {
  private static final byte[] REQUEST =
      "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicInteger begun = new AtomicInteger();
  private final CompletableFuture<Void> answer = new CompletableFuture<>();
  private final Listener listener = start();

  private Listener start() {
    HttpLimits limits =
        new HttpLimits(
            new HttpLimits.Sizes(1 << 10, 8 << 10, 8 << 20),
            new HttpLimits.Times(
                Duration.ofMillis(500),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(5)),
            10,
            16,
            0);
    return Listener.start(
        Listener.builder("127.0.0.1", 0, 1, limits)
            .requestTimeout(Duration.ofMinutes(5))
            .service("/quick", (context, request) -> HttpResponse.of(200))
            .service(
                "/slow",
                (context, request) -> {
                  begun.incrementAndGet();
                  return HttpResponse.of(answer.thenApply(done -> HttpResponse.of(200)));
                }),
        "127.0.0.1",
        0,
        "http.port");
  }

  @AfterEach
  void stop() {
    answer.complete(null);
    listener.close();
  }

  @Test
  void requests_sentWithoutWaiting_areFew_andOneMoreEndsTheConnection() throws IOException {
    try (Socket socket = connect()) {
      for (int i = 0; i < ConnectionBounds.MOST_IN_PROGRESS; i++) {
        socket.getOutputStream().write(REQUEST);
      }
      while (begun.get() < ConnectionBounds.MOST_IN_PROGRESS) {
        Thread.onSpinWait();
      }

      socket.getOutputStream().write(REQUEST);

      assertEnds(socket);
      assertThat(begun).hasValue(ConnectionBounds.MOST_IN_PROGRESS);
    }
  }

  @Test
  void head_thatDripsIn_endsTheConnection() throws IOException {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write("GET /quick HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

      await()
          .pollInterval(Duration.ofMillis(10))
          .atMost(Duration.ofSeconds(30))
          .until(() -> isRefused(out, 'x'));
    }
  }

  private static boolean isRefused(OutputStream out, int one) {
    try {
      out.write(one);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void connection_thatIsUsedForLong_stays() throws Exception {
    try (Socket socket = connect()) {
      long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
      int answers = 0;
      while (System.nanoTime() < end) {
        socket
            .getOutputStream()
            .write("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(readSome(socket.getInputStream())).contains("200 OK");
        answers++;
      }
      assertThat(answers).isGreaterThan(ConnectionBounds.MOST_IN_PROGRESS);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listener.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void assertEnds(Socket socket) {
    try {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  /** An answer, which is small enough to come at once with its end. */
  private static String readSome(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0 || !text.toString().endsWith("OK")) {
      int next = in.read();
      assertThat(next).isNotNegative();
      text.append((char) next);
    }
    return text.toString();
  }
}
