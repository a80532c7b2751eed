package io.quotaenforcer.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.testkit.HttpLoad;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with a small heap, and clients that mean no good. */
@Timeout(900)
class GatewayUnderAttackIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int CROWD = 9_900;
  private static final int RUDE = 5;
  private static final String ONE =
      "GET /check/nginx HTTP/1.1\r\nHost: a\r\nX-Original-Method: GET\r\nX-Original-URI: /read\r\n\r\n";

  @TempDir Path folder;

  private final HttpLoad load = new HttpLoad();
  private int port;
  private GatewayJvm gateway;

  @BeforeEach
  void start() throws IOException {
    port = Net.freePorts(1).get(0);
    gateway =
        GatewayJvm.start(
            "gateway",
            folder.resolve("gateway"),
            port,
            List.of("-Xmx96m", "-XX:+ExitOnOutOfMemoryError"),
            "rules.file=rules.yaml");
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  void thousandsOfConnections_areServed_alsoAfterItsRestart() throws Exception {
    try (ChildJvm crowd =
        ChildJvm.start(
            "crowd",
            folder.resolve("crowd"),
            Crowd.class,
            Integer.toString(port),
            Integer.toString(CROWD))) {
      String first = crowd.awaitLine(1, Crowd.ASKED, TIMEOUT);
      System.out.println("connections, first: " + first);
      assertThat(first).startsWith(CROWD + " answered, " + CROWD + " connected");
      assertThat(isChecked()).isTrue();

      crowd.send("");
      String again = crowd.awaitLine(2, Crowd.ASKED, TIMEOUT);
      System.out.println("connections, again: " + again);
      assertThat(again).startsWith(CROWD + " answered, 0 connected");

      gateway.restart();
      gateway.awaitReady();
      crowd.send("");
      String back = crowd.awaitLine(3, Crowd.ASKED, TIMEOUT);
      System.out.println("connections, after a restart: " + back);
      assertThat(back).startsWith(CROWD + " answered, " + CROWD + " connected");
      assertThat(isChecked()).isTrue();
    }
  }

  @Test
  void whoSendsWithoutReading_isDisconnected_andOthersAreAnswered() throws Exception {
    byte[] many = ONE.repeat(500).getBytes(StandardCharsets.US_ASCII);
    List<Socket> clients = new ArrayList<>();
    try {
      int ended = 0;
      for (int i = 0; i < RUDE; i++) {
        Socket socket = new Socket();
        clients.add(socket);
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        ended += endsWhileSending(socket, many) ? 1 : 0;
        assertThat(isChecked()).isTrue();
      }
      assertThat(ended).isEqualTo(RUDE);
    } finally {
      for (Socket socket : clients) {
        socket.close();
      }
    }
  }

  /** Sends up to 40 MB, by far more than the buffers between both hold. */
  private static boolean endsWhileSending(Socket socket, byte[] many) {
    try {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < 800; i++) {
        out.write(many);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void whatIsTooLargeOrNoHttp_isRefused_andOthersAreAnswered() throws Exception {
    assertThat(answer("GET /" + "a".repeat(40_000) + " HTTP/1.1\r\n\r\n")).contains(" 414 ");
    String head = ONE.substring(0, ONE.length() - 2);
    assertThat(answer(head + "X-A: " + "a".repeat(40_000) + "\r\n\r\n")).contains(" 431 ");
    assertThat(answer(head + "X-A: b\r\n".repeat(6_000) + "\r\n")).contains(" 431 ");
    String post = "POST /decide HTTP/1.1\r\nHost: a\r\n";
    assertThat(answer(post + "Content-Length: 1000000000\r\n\r\n" + "x".repeat(70_000)))
        .contains(" 413 ");
    assertThat(answer(post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"))
        .contains(" 400 ");
    assertThat(answer(post + "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n"))
        .contains(" 400 ");
    assertThat(answer("\u0016\u0003\u0001\u0002 garbage\r\n\r\n")).contains(" 400 ");
    assertThat(isChecked()).isTrue();
  }

  private String answer(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] start = new byte[64];
      int length = socket.getInputStream().read(start);
      return length < 0 ? "" : new String(start, 0, length, StandardCharsets.US_ASCII);
    }
  }

  private boolean isChecked() {
    HttpResponse<String> answer =
        load.get(port, "/check/nginx", "X-Original-Method", "GET", "X-Original-URI", "/read");
    return answer.statusCode() == 200 && gateway.isAlive();
  }
}
