package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import io.quotaenforcer.server.HttpLimits;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of people who mean harm, byte by byte, to the real server. */
@Timeout(120)
class ApiHostileTest {
  private static final String GOOD = "Authorization: Bearer " + ApiSite.VIEWER + "\r\n";
  private static final String MIGHTY = "Authorization: Bearer " + ApiSite.OPERATOR + "\r\n";
  private static final String YAML = "Content-Type: application/yaml\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
  private static final String RELEASE = "POST /api/v1/deferred/requests:release";
  private static final String REDRIVE = "POST /api/v1/dead-letters:redrive";
  private static final String PUT = "PUT /api/v1/rules/a/b";
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");
  private static final long MANY_BYTES = 64L << 20;
  private static final long FEW_BYTES = 10L << 20;
  private static final int ROUNDS = 22;

  /** Of the server, and of tests beside. */
  private static final int FILES_FOR_OTHERS = 1_000;

  @TempDir Path folder;

  private ApiSite site;

  @BeforeEach
  void start() throws Exception {
    HttpLimits usual = HttpLimits.defaults();
    site =
        new ApiSite(
                folder,
                10_000,
                new HttpLimits(
                    usual.sizes(),
                    new HttpLimits.Times(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(1)),
                    50,
                    usual.streams(),
                    usual.heavyAtOnce()))
            .ready();
  }

  @AfterEach
  void stop() {
    assertThat(site.store.read().rules()).isEmpty();
    assertThat(site.operations.told).isEmpty();
    assertThat(site.operations.lifted).isEmpty();
    site.close();
  }

  /** What is asked, with which headers and body, and the status that answers it. */
  static Stream<Arguments> refused() {
    return Stream.of(
        row("no token", "GET /api/v1/overview", "", "", 401),
        row("an unknown token", "GET /api/v1/overview", bearer("x".repeat(40)), "", 401),
        row("an empty token", "GET /api/v1/overview", bearer(""), "", 401),
        row(
            "a hash for a token",
            "GET /api/v1/overview",
            bearer(ApiSite.sha256(ApiSite.VIEWER)),
            "",
            401),
        row("another scheme", "GET /api/v1/overview", GOOD.replace("Bearer", "Basic"), "", 401),
        row(
            "a token in a cookie",
            "GET /api/v1/overview",
            "Cookie: token=" + ApiSite.VIEWER + "\r\n",
            "",
            401),
        row("a token in the query", "GET /api/v1/overview?token=" + ApiSite.VIEWER, "", "", 401),
        row("a token before any check", "GET /api/v1/keys/top?limit=0", "", "", 401),
        row(
            "a form of another site",
            PUT,
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "x",
            401),
        row(
            "a question of another site",
            "OPTIONS /api/v1/rules/a/b",
            "Origin: http://evil.example\r\nAccess-Control-Request-Method: PUT\r\n",
            "",
            403),
        row("a viewer that changes", PUT, GOOD + YAML, "x", 403),
        row(
            "a viewer that changes the mode",
            "PUT /api/v1/rules/a/b/mode",
            GOOD + "Content-Type: application/json\r\n",
            "{\"mode\":\"shadow\"}",
            403),
        row("another type", PUT, MIGHTY + "Content-Type: text/html\r\n", "x", 415),
        row("no type", PUT, MIGHTY, "x", 415),
        row("a type that is no type", PUT, MIGHTY + "Content-Type: ;;;\r\n", "x", 415),
        row("a viewer that back-tests", "POST /api/v1/rules:backtest", GOOD + YAML, "x", 403),
        row(
            "a back-test of another site",
            "POST /api/v1/rules:backtest",
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "x",
            401),
        row(
            "a back-test that is sent as a form",
            "POST /api/v1/rules:backtest",
            MIGHTY + "Content-Type: application/x-www-form-urlencoded\r\n",
            "x",
            415),
        row(
            "a back-test that is long",
            "POST /api/v1/rules:backtest",
            MIGHTY + YAML,
            "x".repeat(300_000),
            413),
        row(
            "a back-test of all time",
            "POST /api/v1/rules:backtest?span=9999d",
            MIGHTY + YAML,
            "domain: a\nrules: []\n",
            400),
        row("a stream without a token", "GET /api/v1/events", "", "", 401),
        row(
            "a stream with a token in the query",
            "GET /api/v1/events?token=" + ApiSite.VIEWER,
            "",
            "",
            401),
        row("a stream that is posted", "POST /api/v1/events", GOOD, "x", 405),
        row("a topology without a token", "GET /api/v1/topology", "", "", 401),
        row("a viewer that changes a domain", "PUT /api/v1/rules/a", GOOD + YAML, "x", 403),
        row(
            "a domain that is long",
            "PUT /api/v1/rules/a?versions=b:1",
            MIGHTY + YAML,
            "x".repeat(300_000),
            413),
        row(
            "a body that is long",
            "POST /api/v1/rules:validate",
            GOOD + YAML,
            "x".repeat(300_000),
            413),
        row("a rule that is long", PUT, MIGHTY + YAML, "x".repeat(70_000), 413),
        row("a limit of none", "GET /api/v1/keys/top?limit=0", GOOD, "", 400),
        row("a limit of many", "GET /api/v1/keys/top?limit=201", GOOD, "", 400),
        row(
            "a limit that runs over",
            "GET /api/v1/keys/top?limit=99999999999999999999",
            GOOD,
            "",
            400),
        row("a limit below none", "GET /api/v1/instances?limit=-1", GOOD, "", 400),
        row("a limit twice", "GET /api/v1/instances?limit=1&limit=2", GOOD, "", 400),
        row("a parameter that is not", "GET /api/v1/instances?sort=1", GOOD, "", 400),
        row("a ranking that is not", "GET /api/v1/keys/top?by=cost", GOOD, "", 400),
        row("a flag that is none", "GET /api/v1/overview?here=1", GOOD, "", 400),
        row("no prefix", "GET /api/v1/keys", GOOD, "", 400),
        row("an empty prefix", "GET /api/v1/keys?prefix=", GOOD, "", 400),
        row("a prefix with a zero", "GET /api/v1/keys?prefix=a%00b", GOOD, "", 400),
        row("a prefix of other letters", "GET /api/v1/keys?prefix=%C3%A4", GOOD, "", 400),
        row("a key after no key", "GET /api/v1/keys?prefix=a/b&after=x", GOOD, "", 400),
        row("a key that is none", "GET /api/v1/keys/show?key=x", GOOD, "", 400),
        row("a key in another spelling", "GET /api/v1/keys/show?key=a/b/%2542", GOOD, "", 400),
        row(
            "a place that is none",
            "GET /api/v1/deferred/requests?rule=a/b&after=x",
            GOOD,
            "",
            400),
        row("a path upwards", "GET /api/v1/../../etc/passwd", GOOD, "", 400),
        row("a path upwards, written otherwise", "GET /api/v1/rules/%2e%2e/%2e%2e", GOOD, "", 400),
        row("a path upwards in one part", "GET /api/v1/rules/a/..%2f..%2fetc", GOOD, "", 400),
        row("another method", "DELETE /api/v1/rules/a/b", MIGHTY, "", 405),
        row("a trace", "TRACE /api/v1/overview", GOOD, "", 405),
        row("a release by nobody", RELEASE, JSON, "{}", 401),
        row("a release by a viewer", RELEASE, GOOD + JSON, "{}", 403),
        row(
            "a release by a form of another site",
            RELEASE,
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "{}",
            401),
        row("a release in a form", RELEASE, MIGHTY + FORM, "id=a", 415),
        row("a release of nothing", RELEASE, MIGHTY + JSON, "", 400),
        row("a release of many", RELEASE, MIGHTY + JSON, "x".repeat(140_000), 413),
        row(
            "a cancel by a viewer",
            "POST /api/v1/deferred/requests:cancel",
            GOOD + JSON,
            "{}",
            403),
        row("a cancel by reading", "GET /api/v1/deferred/requests:cancel", MIGHTY, "", 405),
        row("a purge by a viewer", "POST /api/v1/deferred:purge", GOOD + JSON, "{}", 403),
        row("a purge of everything", "POST /api/v1/deferred:purge", MIGHTY + JSON, "{}", 400),
        row("a lift by a viewer", "POST /api/v1/penalties:lift", GOOD + JSON, "{}", 403),
        row("a lift of no key", "POST /api/v1/penalties:lift", MIGHTY + JSON, "{\"key\":7}", 400),
        row("a redrive by a viewer", REDRIVE, GOOD + JSON, "{}", 403),
        row("a redrive of none", REDRIVE, MIGHTY + JSON, "{\"places\":[]}", 400),
        row("a redrive of text", REDRIVE, MIGHTY + JSON, "{\"places\":\"0-1\"}", 400),
        row(
            "a redrive of too many",
            REDRIVE,
            MIGHTY + JSON,
            "{\"places\":[" + "\"0-1\",".repeat(50) + "\"0-1\"]}",
            400),
        row("a redrive that is long", REDRIVE, MIGHTY + JSON, "x".repeat(5_000), 413),
        row(
            "a payload for a viewer",
            "GET /api/v1/deferred/show?id=a&key=a/b&payload=true",
            GOOD,
            "",
            403),
        row("a request without an id", "GET /api/v1/deferred/show", GOOD, "", 400),
        row("many dead letters", "GET /api/v1/dead-letters?limit=201", GOOD, "", 400),
        row("dead letters of no rule", "GET /api/v1/dead-letters?rule=x", GOOD, "", 400),
        row("dead letters of nobody", "GET /api/v1/dead-letters", "", "", 401),
        row("much of the audit", "GET /api/v1/audit?limit=100000", GOOD, "", 400),
        row("the audit for nobody", "GET /api/v1/audit", "", "", 401),
        row("an audit that is written", "POST /api/v1/audit", MIGHTY + JSON, "{}", 405),
        row("a path in capitals", "GET /API/v1/overview", GOOD, "", 404),
        row("a path with more behind", "GET /api/v1/overview/x", GOOD, "", 404),
        row(
            "a header that is long",
            "GET /api/v1/overview",
            GOOD + "X: " + "x".repeat(9_000) + "\r\n",
            "",
            431),
        row("headers in masses", "GET /api/v1/overview", GOOD + "X: y\r\n".repeat(4_000), "", 431),
        row("a line that is long", "GET /api/v1/keys?prefix=" + "a".repeat(9_000), GOOD, "", 414));
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private static Arguments row(
      String name, String request, String headers, String body, int status) {
    return Arguments.of(name, request, headers, body, status);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void request_isRefused(String name, String request, String headers, String body, int status)
      throws Exception {
    String answer = asked(request, headers, body);
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer)
        .doesNotContainIgnoringCase("access-control-allow")
        .doesNotContainIgnoringCase("set-cookie")
        .doesNotContain("root:");
  }

  /** About a thousand of them: a leak of 10 kB each would show. */
  @Test
  void refusals_manyTimesOver_leaveMemoryFlat() throws Exception {
    List<Object[]> rows = refused().map(Arguments::get).toList();
    askAll(rows, ROUNDS / 2);
    long heap = used();
    long buffers = buffers();
    askAll(rows, ROUNDS);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(used() - heap).isLessThan(FEW_BYTES));
    assertThat(buffers() - buffers).isLessThan(MANY_BYTES);
    System.out.printf(
        "%d refusals: heap %+d kB, direct buffers %+d kB%n",
        rows.size() * ROUNDS, (used() - heap) >> 10, (buffers() - buffers) >> 10);
  }

  private void askAll(List<Object[]> rows, int rounds) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (Object[] row : rows) {
        assertThat(asked((String) row[1], (String) row[2], (String) row[3]))
            .startsWith("HTTP/1.1 " + row[4] + " ");
      }
    }
  }

  private String asked(String request, String headers, String body) throws IOException {
    try (Socket socket = connect()) {
      send(
          socket,
          "%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s"
              .formatted(request, headers, body.length(), body));
      return answer(socket);
    }
  }

  @Test
  void bodyThatNeverEnds_isCutOff() throws Exception {
    try (Socket slow = connect()) {
      send(
          slow,
          "POST /api/v1/rules:validate HTTP/1.1\r\nHost: a\r\n%s%sContent-Length: 1000\r\n\r\nab"
              .formatted(GOOD, YAML));
      assertThat(answer(slow)).startsWith("HTTP/1.1 408");
    }
    try (Socket chunks = connect()) {
      send(
          chunks,
          "POST /api/v1/rules:validate HTTP/1.1\r\nHost: a\r\n%s%sTransfer-Encoding: chunked\r\n\r\n"
              .formatted(GOOD, YAML));
      String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      assertThat(flood(chunks, chunk, 1_000)).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void tooManyConnections_areClosed_andThoseThatAreThereAreServed() throws Exception {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        open.add(socket);
        socket.setSoTimeout(10_000);
        send(socket, "GET /api/v1/overview HT");
      }
      long served = open.stream().filter(ApiHostileTest::isStillServed).count();
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
    long heap = used();
    long buffers = buffers();
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < most; i++) {
        SocketChannel channel =
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port()));
        open.add(channel);
        begin(channel);
      }
      long grown = used() - heap;
      System.out.printf(
          "%d connections held open: heap %+d kB (both ends), direct buffers %+d kB%n",
          open.size(), grown >> 10, (buffers() - buffers) >> 10);
      assertThat(grown).isLessThan(MANY_BYTES / 2);
      assertThat(buffers() - buffers).isLessThan(MANY_BYTES);
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
    await().ignoreExceptions().until(() -> site.get("/whoami").statusCode() == 200);
    assertThat(used() - heap).isLessThan(FEW_BYTES);
  }

  private static void begin(SocketChannel channel) {
    try {
      channel.write(ByteBuffer.wrap("GET /api/v1/overview HT".getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException closedAlready) {
      // One too many: it stays open at this end.
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
    long before = used();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Socket socket = connect();
        silent.add(socket);
        for (int j = 0; j < 30; j++) {
          send(socket, "GET /api/v1/keys/top?limit=200 HTTP/1.1\r\nHost: a\r\n" + GOOD + "\r\n");
        }
      }
      await().ignoreExceptions().until(() -> site.get("/whoami").statusCode() == 200);
      assertThat(used() - before).isLessThan(MANY_BYTES);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    assertThat(site.get("/keys/top?limit=200").statusCode()).isEqualTo(200);
  }

  @Test
  void streamsThatNobodyReads_keepMemoryFlat_andOthersAreServed() throws Exception {
    long before = used();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Socket socket = connect();
        silent.add(socket);
        send(socket, "GET /api/v1/events HTTP/1.1\r\nHost: a\r\n" + GOOD + "\r\n");
      }
      await().until(() -> site.streams().streams() == silent.size());
      try (Socket listening = connect()) {
        listening.setSoTimeout(20_000);
        send(listening, "GET /api/v1/events HTTP/1.1\r\nHost: a\r\n" + GOOD + "\r\n");
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(listening.getInputStream(), StandardCharsets.US_ASCII));
        int overviews = 0;
        while (overviews < 2) {
          overviews += "event: overview".equals(in.readLine()) ? 1 : 0;
        }
      }
      assertThat(site.streams().keptBytes()).isLessThan(silent.size() * 4_096L);
      assertThat(used() - before).isLessThan(MANY_BYTES);
      assertThat(site.get("/whoami").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void addressThatAsksWithoutPause_isToldToWait() throws Exception {
    site.close();
    site = new ApiSite(folder, 5, HttpLimits.defaults()).ready();
    int refused = 0;
    for (int i = 0; i < 40; i++) {
      int status = site.get("/whoami").statusCode();
      assertThat(status).isIn(200, 429);
      refused += status == 429 ? 1 : 0;
    }
    assertThat(refused).isPositive();
    assertThat(site.send(site.request("/whoami", "guessed-token")).headers().firstValue("etag"))
        .isEmpty();
    await().until(() -> site.get("/whoami").statusCode() == 200);
  }

  private static boolean isStillServed(Socket socket) {
    try {
      send(socket, "TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      return answer(socket).startsWith("HTTP/1.1 401");
    } catch (IOException closed) {
      return false;
    }
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static long buffers() {
    PooledByteBufAllocatorMetric pool = PooledByteBufAllocator.DEFAULT.metric();
    return pool.usedDirectMemory();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), site.port());
  }

  private static void send(Socket socket, String text) throws IOException {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    } catch (SocketException closedAlready) {
      // The answer tells why.
      return;
    }
  }

  /** Sends on until the server has had enough. */
  private static String flood(Socket socket, String chunk, int most) throws IOException {
    for (int i = 0; i < most && socket.getInputStream().available() == 0; i++) {
      send(socket, chunk);
    }
    return answer(socket);
  }

  /** One answer, or what comes of it until the server closes the connection. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[8_192];
    try {
      while (!isWhole(text)) {
        int count = socket.getInputStream().read(buffer);
        if (count < 0) {
          break;
        }
        text.append(new String(buffer, 0, count, StandardCharsets.US_ASCII));
      }
    } catch (SocketException reset) {
      return text.toString();
    }
    return text.toString();
  }

  private static boolean isWhole(CharSequence text) {
    Matcher length = LENGTH.matcher(text);
    int body = text.toString().indexOf("\r\n\r\n") + 4;
    return length.find() && body > 4 && text.length() - body >= Integer.parseInt(length.group(1));
  }
}
