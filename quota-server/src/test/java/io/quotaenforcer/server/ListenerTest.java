package io.quotaenforcer.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenerTest {
  private static final int CLIENTS = 50;
  private static final int TIMEOUT_SECONDS = 30;
  private static final int ROUNDS = 5;
  private static final long SOON_NANOS = 900_000_000L;

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

  /** Armeria leaves clients a second to close them. */
  @Test
  void close_connectionsThatClientsKeep_areClosedSooner() throws Exception {
    long quickest = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && quickest >= SOON_NANOS; i++) {
      var builder = Listener.builder("127.0.0.1", 0, 1, HttpLimits.ofProbes());
      builder.service("/", (context, request) -> HttpResponse.of("here"));
      Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port");
      HttpClient client = client(HttpClient.Version.HTTP_1_1);
      assertThat(ask(listener, client).get(TIMEOUT_SECONDS, SECONDS).body()).isEqualTo("here");
      assertThat(listener.connections()).isEqualTo(1);
      long begun = System.nanoTime();
      listener.close();
      quickest = Math.min(quickest, System.nanoTime() - begun);
      assertThat(listener.connections()).isZero();
      assertThat(client).as("used until here, else it closes its connections").isNotNull();
    }
    assertThat(quickest).isLessThan(SOON_NANOS);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void close_requestInProgress_isAnswered(HttpClient.Version version) throws Exception {
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    var builder = Listener.builder("127.0.0.1", 0, 1, HttpLimits.ofProbes());
    builder.service(
        "/",
        (context, request) -> {
          begun.countDown();
          return HttpResponse.of(answer);
        });
    builder.gracefulShutdownTimeout(Duration.ofMillis(1), Duration.ofSeconds(TIMEOUT_SECONDS));
    try (Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port")) {
      var asked = ask(listener, client(version));
      assertThat(begun.await(TIMEOUT_SECONDS, SECONDS)).isTrue();
      Thread closing = new Thread(listener::close);
      closing.start();
      await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
      answer.complete(HttpResponse.of("answered"));
      assertThat(asked.get(TIMEOUT_SECONDS, SECONDS).body()).isEqualTo("answered");
      closing.join();
    }
  }

  private static HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder().version(version).build();
  }

  private static CompletableFuture<java.net.http.HttpResponse<String>> ask(
      Listener listener, HttpClient client) {
    URI uri = URI.create("http://127.0.0.1:" + listener.port() + "/");
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
