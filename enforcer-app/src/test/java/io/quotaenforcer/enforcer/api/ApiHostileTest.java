package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.server.HttpLimits;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  private static final long MANY_BYTES = 64L << 20;
  private static final long FEW_BYTES = 10L << 20;
  private static final int ROUNDS = 22;

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

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.quotaenforcer.enforcer.api.HostileRequests#refused")
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
    List<Object[]> rows = HostileRequests.refused().map(Arguments::get).toList();
    askAll(rows, ROUNDS / 2);
    long heap = UsedMemory.heap();
    long buffers = UsedMemory.buffers();
    askAll(rows, ROUNDS);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(UsedMemory.heap() - heap).isLessThan(FEW_BYTES));
    assertThat(UsedMemory.buffers() - buffers).isLessThan(MANY_BYTES);
    System.out.printf(
        "%d refusals: heap %+d kB, direct buffers %+d kB%n",
        rows.size() * ROUNDS,
        (UsedMemory.heap() - heap) >> 10,
        (UsedMemory.buffers() - buffers) >> 10);
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
    try (Socket socket = RawHttp.connect(site.port())) {
      RawHttp.send(
          socket,
          "%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s"
              .formatted(request, headers, body.length(), body));
      return RawHttp.answer(socket);
    }
  }

  @Test
  void bodyThatNeverEnds_isCutOff() throws Exception {
    try (Socket slow = RawHttp.connect(site.port())) {
      RawHttp.send(
          slow,
          "POST /api/v1/rules:validate HTTP/1.1\r\nHost: a\r\n%s%sContent-Length: 1000\r\n\r\nab"
              .formatted(HostileRequests.GOOD, HostileRequests.YAML));
      assertThat(RawHttp.answer(slow)).startsWith("HTTP/1.1 408");
    }
    try (Socket chunks = RawHttp.connect(site.port())) {
      RawHttp.send(
          chunks,
          "POST /api/v1/rules:validate HTTP/1.1\r\nHost: a\r\n%s%sTransfer-Encoding: chunked\r\n\r\n"
              .formatted(HostileRequests.GOOD, HostileRequests.YAML));
      String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      assertThat(RawHttp.flood(chunks, chunk, 1_000)).startsWith("HTTP/1.1 413");
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
}
