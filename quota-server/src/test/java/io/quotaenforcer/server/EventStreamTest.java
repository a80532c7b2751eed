package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that go on, over the bytes of real connections. */
@Timeout(60)
class EventStreamTest {
  private static final Duration READING = Duration.ofSeconds(2);
  private static final int LARGE = 64 << 10;

  private final BlockingQueue<EventStream> opened = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private Listener server;

  @BeforeEach
  void start() {
    var builder = Listener.builder("127.0.0.1", 0, 2, HttpLimits.defaults());
    builder.service(
        "/events",
        (context, request) -> {
          EventStream stream = new EventStream(context, READING);
          stream.beat();
          opened.add(stream);
          return stream.response();
        });
    server = Listener.start(builder, "127.0.0.1", 0, "port");
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket
        .getOutputStream()
        .write("GET /events HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void events_come_asTheyAreSent_andTheStreamEnds() throws Exception {
    Socket socket = connect();
    EventStream stream = opened.take();
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    assertThat(stream.send("news", "{\"a\":1}")).isTrue();
    List<String> lines = new ArrayList<>();
    String line;
    do {
      line = in.readLine();
      lines.add(line);
    } while (!line.startsWith("data:"));
    assertThat(lines.get(0)).isEqualTo("HTTP/1.1 200 OK");
    assertThat(lines).contains("content-type: text/event-stream", "event: news", "data: {\"a\":1}");
    stream.send("news", "{\"b\":2}");
    stream.end();
    assertThat(stream.send("news", "{}")).isFalse();
    await()
        .until(
            () -> {
              lines.add(in.readLine());
              return lines.get(lines.size() - 1).equals("0");
            });
    assertThat(lines).contains("data: {\"b\":2}");
  }

  @Test
  void clientThatReadsNothing_isDropped_andWhatIsKeptForItIsBounded() throws Exception {
    connect();
    EventStream stream = opened.take();
    int sent = 0;
    int most = 0;
    while (stream.send("news", "x".repeat(LARGE))) {
      most = Math.max(most, stream.keptBytes());
      assertThat(++sent).isLessThan(100_000);
    }
    assertThat(most).isPositive().isLessThan(EventStream.MOST_WAITING_BYTES + 2 * LARGE);
    assertThat(stream.isOpen()).isFalse();
    assertThat(stream.keptBytes()).isZero();
  }

  @Test
  void clientThatStopsReading_isDropped_afterAWhile() throws Exception {
    Socket socket = connect();
    EventStream stream = opened.take();
    await()
        .until(
            () -> {
              if (!stream.isBehind()) {
                stream.send("news", "x".repeat(LARGE));
              }
              return !stream.isOpen();
            });
    assertThat(socket.getInputStream().skip(Long.MAX_VALUE)).isPositive();
    assertThat(stream.keptBytes()).isZero();
  }

  @Test
  void clientThatHangsUp_isForgotten() throws Exception {
    Socket socket = connect();
    EventStream stream = opened.take();
    socket.close();
    await().until(() -> !stream.isOpen());
  }

  @Test
  void manyIdleStreams_needNoThreads() throws Exception {
    int before = Thread.activeCount();
    List<EventStream> streams = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      connect();
      streams.add(opened.take());
    }
    // A thread for each processor at most, which all connections share.
    assertThat(Thread.activeCount() - before)
        .isLessThan(4 * Runtime.getRuntime().availableProcessors() + 8);
    assertThat(streams).allMatch(EventStream::beat);
  }
}
