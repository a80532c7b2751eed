package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections in masses, and clients that do not read, at the real server. */
@Timeout(120)
class ApiFloodTest {
  private static final long MANY_BYTES = 64L << 20;
  private static final long FEW_BYTES = 10L << 20;

  /** Of the server, and of tests beside. */
  private static final int FILES_FOR_OTHERS = 1_000;

  @TempDir Path folder;

  private ApiSite site;

  @BeforeEach
  void start() throws Exception {
    site = HostileRequests.site(folder);
  }

  @AfterEach
  void stop() {
    HostileRequests.closeUnchanged(site);
  }

  @Test
  void tooManyConnections_areClosed_andThoseThatAreThereAreServed() throws Exception {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        try {
          Socket socket = RawHttp.connect(site.port());
          open.add(socket);
          socket.setSoTimeout(10_000);
          RawHttp.send(socket, "GET /api/v1/overview HT");
        } catch (SocketException closedAlready) {
          // One too many: closed while it connected, or before all was sent.
          continue;
        }
      }
      long served = open.stream().filter(ApiFloodTest::isStillServed).count();
      assertThat(served).isLessThanOrEqualTo(50);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    await().ignoreExceptions().until(() -> site.get("/whoami").statusCode() == 200);
  }

  /** As many as the limit of files of this process allows; the server closes most of them. */
  @Test
  void tenThousandConnectionsHeldOpen_leaveMemoryFlat_andTheApiThereAfterwards() throws Exception {
    int most = (int) Math.min(10_000, openFilesLeft() - FILES_FOR_OTHERS);
    site.get("/whoami");
    long heap = UsedMemory.heap();
    long buffers = UsedMemory.buffers();
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < most; i++) {
        SocketChannel channel = SocketChannel.open();
        open.add(channel);
        begin(channel);
      }
      long grown = UsedMemory.heap() - heap;
      System.out.printf(
          "%d connections held open: heap %+d kB (both ends), direct buffers %+d kB%n",
          open.size(), grown >> 10, (UsedMemory.buffers() - buffers) >> 10);
      assertThat(grown).isLessThan(MANY_BYTES / 2);
      assertThat(UsedMemory.buffers() - buffers).isLessThan(MANY_BYTES);
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
    await().ignoreExceptions().until(() -> site.get("/whoami").statusCode() == 200);
    assertThat(UsedMemory.heap() - heap).isLessThan(FEW_BYTES);
  }

  private void begin(SocketChannel channel) {
    try {
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port()));
      channel.write(ByteBuffer.wrap("GET /api/v1/overview HT".getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException closedAlready) {
      // One too many: closed while it connected, or before all was sent.
      return;
    }
  }

  private static long openFilesLeft() {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
  }

  @Test
  void answersThatNobodyReads_areBounded_andMemoryStaysFlat() throws Exception {
    PartitionRecorder recorder = site.activity.begin(0, ApiSite.NOW);
    for (int i = 0; i < 500; i++) {
      recorder.counted(
          QuotaKey.parse("posts/per-user/" + i + "x".repeat(150)),
          List.of(new WindowCount(0, 1, 0)),
          ApiSite.NOW);
    }
    site.get("/keys/top?limit=200");
    long before = UsedMemory.heap();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Socket socket = RawHttp.connect(site.port());
        silent.add(socket);
        for (int j = 0; j < 30; j++) {
          RawHttp.send(
              socket,
              "GET /api/v1/keys/top?limit=200 HTTP/1.1\r\nHost: a\r\n"
                  + HostileRequests.GOOD
                  + "\r\n");
        }
      }
      await().ignoreExceptions().until(() -> site.get("/whoami").statusCode() == 200);
      assertThat(UsedMemory.heap() - before).isLessThan(MANY_BYTES);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    assertThat(site.get("/keys/top?limit=200").statusCode()).isEqualTo(200);
  }

  @Test
  void streamsThatNobodyReads_keepMemoryFlat_andOthersAreServed() throws Exception {
    long before = UsedMemory.heap();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Socket socket = RawHttp.connect(site.port());
        silent.add(socket);
        RawHttp.send(
            socket, "GET /api/v1/events HTTP/1.1\r\nHost: a\r\n" + HostileRequests.GOOD + "\r\n");
      }
      await().until(() -> site.streams().streams() == silent.size());
      try (Socket listening = RawHttp.connect(site.port())) {
        listening.setSoTimeout(20_000);
        RawHttp.send(
            listening,
            "GET /api/v1/events HTTP/1.1\r\nHost: a\r\n" + HostileRequests.GOOD + "\r\n");
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(listening.getInputStream(), StandardCharsets.US_ASCII));
        int overviews = 0;
        while (overviews < 2) {
          overviews += "event: overview".equals(in.readLine()) ? 1 : 0;
        }
      }
      assertThat(site.streams().keptBytes()).isLessThan(silent.size() * 4_096L);
      assertThat(UsedMemory.heap() - before).isLessThan(MANY_BYTES);
      assertThat(site.get("/whoami").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private static boolean isStillServed(Socket socket) {
    try {
      RawHttp.send(socket, "TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      return RawHttp.answer(socket).startsWith("HTTP/1.1 401");
    } catch (IOException closed) {
      return false;
    }
  }
}
