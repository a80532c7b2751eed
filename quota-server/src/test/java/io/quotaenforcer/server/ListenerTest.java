package io.quotaenforcer.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ListenerTest {
  private static final int CLIENTS = 50;

  @Test
  void close_returnsWhenNoConnectionIsOpen_whateverIsStillAsked() throws Exception {
    CountDownLatch begun = new CountDownLatch(CLIENTS);
    var builder = Listener.builder("127.0.0.1", 0, 1, HttpLimits.ofProbes());
    builder.service(
        "/",
        (context, request) -> {
          begun.countDown();
          return HttpResponse.of(new CompletableFuture<>());
        });
    Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port");
    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Socket client = new Socket("127.0.0.1", listener.port());
        clients.add(client);
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(US_ASCII));
      }
      begun.await();
      assertThat(listener.connections()).isEqualTo(CLIENTS);
      listener.close();
      assertThat(listener.connections()).isZero();
    } finally {
      listener.close();
      for (Socket client : clients) {
        client.close();
      }
    }
  }
}
