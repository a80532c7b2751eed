package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.server.EventStream;
import io.quotaenforcer.server.Health;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The overview as it is pushed: who hears it, for how long, and what it costs. */
@Timeout(60)
class ApiEventsTest {
  private static final int MANY = 200;

  @TempDir Path folder;

  private final List<Socket> sockets = new ArrayList<>();
  private ApiSite site;

  @BeforeEach
  void start() throws Exception {
    site = new ApiSite(folder).ready();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    site.close();
  }

  private Socket listen(String token) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port());
    sockets.add(socket);
    socket
        .getOutputStream()
        .write(
            ("GET /api/v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 7\r\nAuthorization: Bearer "
                    + token
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static BufferedReader in(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** The data of the next event of a kind. */
  private static JsonNode next(BufferedReader in, String event) throws IOException {
    String line = in.readLine();
    while (line != null && !line.equals("event: " + event)) {
      line = in.readLine();
    }
    assertThat(line).as("the stream ended before " + event).isNotNull();
    return new ObjectMapper().readTree(in.readLine().substring("data: ".length()));
  }

  private static boolean isAtEnd(BufferedReader in) throws IOException {
    String line = in.readLine();
    while (line != null && !line.equals("0")) {
      line = in.readLine();
    }
    return true;
  }

  @Test
  void overview_isPushed_andSoIsAHealthThatChanges() throws Exception {
    BufferedReader in = in(listen(ApiSite.VIEWER));
    JsonNode first = next(in, "overview");
    assertThat(first.at("/enforcers/0/enforcer").asText()).isEqualTo(site.address().toString());
    assertThat(first.at("/enforcers/0/health/status").asText()).isEqualTo("ready");
    site.health = new Health.Failing("no broker answers");
    JsonNode news = next(in, "health");
    assertThat(news.path("enforcer").asText()).isEqualTo(site.address().toString());
    assertThat(news.path("status").asText()).isEqualTo("failing");
    assertThat(news.path("reason").asText()).isEqualTo("no broker answers");
    assertThat(next(in, "overview").at("/enforcers/0/health/status").asText()).isEqualTo("failing");
  }

  @Test
  void manyAtOnce_allHear_withoutAThreadEach_andWhatIsKeptIsBounded() throws Exception {
    int threads = Thread.activeCount();
    for (int i = 0; i < MANY; i++) {
      listen(ApiSite.VIEWER);
    }
    await().until(() -> site.streams().streams() == MANY);
    for (Socket socket : sockets) {
      next(in(socket), "overview");
      assertThat(site.streams().keptBytes()).isLessThan(MANY * 4L * 1_024);
    }
    assertThat(Thread.activeCount() - threads).isLessThan(MANY / 2);
    assertThat(site.get("/whoami").statusCode()).isEqualTo(200);
  }

  @Test
  void oneMoreThanMay_isToldSo_andThereIsRoomAgainWhenOneLeaves() throws Exception {
    for (int i = 0; i < OverviewEvents.MOST_STREAMS; i++) {
      listen(ApiSite.VIEWER);
    }
    await().until(() -> site.streams().streams() == OverviewEvents.MOST_STREAMS);
    HttpResponse<String> refused = site.get("/events");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("/api/v1/overview instead");
    sockets.remove(0).close();
    await().until(() -> site.streams().streams() < OverviewEvents.MOST_STREAMS);
    next(in(listen(ApiSite.VIEWER)), "overview");
  }

  @Test
  void tokenThatIsTakenOut_endsItsStreams_andNoOthers() throws Exception {
    BufferedReader viewer = in(listen(ApiSite.VIEWER));
    BufferedReader operator = in(listen(ApiSite.OPERATOR));
    next(viewer, "overview");
    next(operator, "overview");
    Files.writeString(
        folder.resolve("tokens"), "olga operator " + ApiSite.sha256(ApiSite.OPERATOR) + "\n");
    assertThat(isAtEnd(viewer)).isTrue();
    next(operator, "overview");
    await().until(() -> site.streams().streams() == 1);
  }

  @Test
  void streams_endWithTheEnforcer() throws Exception {
    BufferedReader in = in(listen(ApiSite.VIEWER));
    next(in, "overview");
    site.close();
    assertThat(isAtEnd(in)).isTrue();
  }

  @Test
  void listenerThatDoesNotRead_keepsOneOverviewAtMost() throws Exception {
    listen(ApiSite.VIEWER);
    BufferedReader other = in(listen(ApiSite.VIEWER));
    for (int i = 0; i < 3; i++) {
      next(other, "overview");
      assertThat(site.streams().keptBytes()).isLessThan(2L * EventStream.MOST_WAITING_BYTES);
    }
  }

  @Test
  void noToken_andAnotherParameter_areRefused() throws Exception {
    assertThat(site.send(site.request("/events", "unknown")).statusCode()).isEqualTo(401);
    assertThat(site.get("/events?here=true").statusCode()).isEqualTo(400);
  }
}
