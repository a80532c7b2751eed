package io.quotaenforcer.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import java.io.IOException;
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
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenerTest {
  private static final int CLIENTS = 50;
  private static final int TIMEOUT_SECONDS = 30;

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

  @Test
  void close_connectionsThatClientsKeep_areClosedAtOnce() throws Exception {
    var builder = Listener.builder("127.0.0.1", 0, 1, HttpLimits.ofProbes());
    builder.service("/", (context, request) -> HttpResponse.of("here"));
    // Longer than a listener takes to close at most.
    builder.gracefulShutdownTimeout(Duration.ofMillis(1), Duration.ofMinutes(1));
    try (Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port")) {
      for (HttpClient.Version version : HttpClient.Version.values()) {
        assertThat(ask(listener, "/", version).get(TIMEOUT_SECONDS, SECONDS).body()).isEqualTo("here");
      }
      assertThat(listener.connections()).isEqualTo(HttpClient.Version.values().length);
      listener.close();
      assertThat(listener.connections()).isZero();
    }
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
    builder.service("/other", (context, request) -> HttpResponse.of("other"));
    builder.gracefulShutdownTimeout(Duration.ofMillis(1), Duration.ofSeconds(TIMEOUT_SECONDS));
    try (Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port")) {
      var asked = ask(listener, "/", version);
      assertThat(begun.await(TIMEOUT_SECONDS, SECONDS)).isTrue();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(listener::close);
      await().until(() -> isRefused(listener));
      answer.complete(HttpResponse.of("answered"));
      assertThat(asked.get(TIMEOUT_SECONDS, SECONDS).body()).isEqualTo("answered");
      closing.get(TIMEOUT_SECONDS, SECONDS);
    }
  }

  private static boolean isRefused(Listener listener) throws Exception {
    try {
      return ask(listener, "/other", HttpClient.Version.HTTP_1_1)
              .get(TIMEOUT_SECONDS, SECONDS)
              .statusCode()
          == HttpStatus.SERVICE_UNAVAILABLE.code();
    } catch (ExecutionException e) {
      return e.getCause() instanceof IOException;
    }
  }

  private static CompletableFuture<java.net.http.HttpResponse<String>> ask(
      Listener listener, String path, HttpClient.Version version) {
    URI uri = URI.create("http://127.0.0.1:" + listener.port() + path);
    return HttpClient.newBuilder()
        .version(version)
        .build()
        .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
