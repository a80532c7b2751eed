package io.quotaenforcer.bench.gateway.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import io.quotaenforcer.bench.gateway.load.Caller.Answer;
import io.quotaenforcer.server.HttpLimits;
import io.quotaenforcer.server.JsonResponse;
import io.quotaenforcer.server.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpCallerTest {
  private static final Users USERS = new Users(10_000);

  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final Listener server = server();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void requests_moreThanConnections_areAllAnswered() throws Exception {
    try (Caller caller = new HttpCaller(server.port(), 2, HttpRequests.nginx(USERS))) {
      for (int user = 0; user < 20; user++) {
        caller.call(user, answers::add);
      }
      for (int user = 0; user < 20; user++) {
        assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo(Answer.ADMITTED);
      }
    }

    assertThat(asked).hasSize(20).contains("user-7 GET /orders/7?page=1");
  }

  @Test
  void body_isSent_andARefusalIsOne() throws Exception {
    try (Caller caller = new HttpCaller(server.port(), 1, HttpRequests.decide(USERS))) {
      caller.call(3, answers::add);
      caller.call(10_003, answers::add);
      assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo(Answer.REFUSED);
      assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo(Answer.REFUSED);
    }

    assertThat(asked)
        .containsExactly(
            "{\"attributes\":{\"user\":\"user-3\",\"plan\":\"paying\"}}",
            "{\"attributes\":{\"user\":\"user-10003\",\"plan\":\"free\"}}");
  }

  @Test
  void answer_thatIsNone_isAFailure() throws Exception {
    List<byte[]> unknown =
        Collections.nCopies(1, "GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(US_ASCII));
    try (Caller caller = new HttpCaller(server.port(), 1, unknown)) {
      caller.call(0, answers::add);
      assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo(Answer.FAILED);
    }
  }

  /** As a server does with connections that were idle for long, or are old. */
  @Test
  void connection_thatTheServerCloses_isReplaced() throws Exception {
    try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread once = new Thread(() -> answerOnceEach(closing));
      once.setDaemon(true);
      once.start();
      try (Caller caller = new HttpCaller(closing.getLocalPort(), 1, HttpRequests.nginx(USERS))) {
        for (int user = 0; user < 20; user++) {
          caller.call(user, answers::add);
          assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo(Answer.ADMITTED);
        }
      }
    }
  }

  private static void answerOnceEach(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          if (socket.getInputStream().read(new byte[4_096]) > 0) {
            socket
                .getOutputStream()
                .write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(US_ASCII));
          }
        }
      }
    } catch (IOException closed) {
      // The test has ended.
    }
  }

  @Test
  void bodyLength_isReadWhateverItsCase() {
    assertThat(HttpConnection.bodyLength("HTTP/1.1 200 OK\r\nContent-Length: 12\r\na: b"))
        .isEqualTo(12);
    assertThat(HttpConnection.bodyLength("HTTP/1.1 200 OK\r\na: b\r\ncontent-length:7"))
        .isEqualTo(7);
    assertThat(HttpConnection.bodyLength("HTTP/1.1 204 No Content\r\na: b")).isZero();
  }

  private Listener server() {
    ServerBuilder builder = Listener.builder("127.0.0.1", 0, 1, HttpLimits.defaults());
    builder
        .service(
            "/check/nginx",
            (context, request) -> {
              asked.add(
                  String.join(
                      " ",
                      request.headers().get("x-user"),
                      request.headers().get("x-original-method"),
                      request.headers().get("x-original-uri")));
              return HttpResponse.of(
                  ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CACHE_CONTROL, "no-store"));
            })
        .service(
            "/decide",
            (context, request) ->
                HttpResponse.of(
                    request
                        .aggregate()
                        .thenApply(
                            body -> {
                              asked.add(body.contentUtf8());
                              return JsonResponse.error(HttpStatus.TOO_MANY_REQUESTS, "full");
                            })));
    return Listener.start(builder, "127.0.0.1", 0, "http.port");
  }
}
