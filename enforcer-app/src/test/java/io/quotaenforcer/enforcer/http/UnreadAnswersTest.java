package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.Coverage;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.DeferredEntry;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.QueueStats;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that take much memory: few are made at once, and few wait for slow clients. */
@Timeout(60)
class UnreadAnswersTest {
  /** More than the kernel takes of an answer that nobody reads. */
  private static final int LARGE = 32 << 20;

  private static final int UNREAD = 40 << 20;

  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch slow = new CountDownLatch(1);
  private volatile String name = "a/b";
  private volatile boolean waits;
  private EnforcerHttp http;

  @AfterEach
  void stop() {
    slow.countDown();
    http.close();
  }

  @Test
  void questions_moreAtOnceThanMay_areToldToComeBack() throws Exception {
    start(Duration.ofSeconds(30));
    waits = true;
    CompletableFuture<HttpResponse<String>> first = ask("stats");
    CompletableFuture<HttpResponse<String>> second = ask("stats?by-key=true");
    await().until(() -> slow.getCount() == 1 && atWork == 2);

    HttpResponse<String> third = ask("list?rule=a/b").get(10, TimeUnit.SECONDS);

    assertThat(third.statusCode()).isEqualTo(503);
    assertThat(third.headers().firstValue("retry-after")).contains("1");
    assertThat(third.body()).contains("\"category\":\"busy\"");
    slow.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    assertThat(second.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    waits = false;
    assertThat(ask("stats").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void answers_thatNobodyReads_areBounded_andOthersAreToldToComeBack() throws Exception {
    start(Duration.ofSeconds(30));
    name = "x".repeat(LARGE);
    try (Socket silent = asked("/v1/deferred/stats")) {
      await()
          .untilAsserted(
              () -> assertThat(ask("stats").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(503));
      name = "a/b";
      assertThat(ask("stats").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
    name = "x".repeat(LARGE);
    await()
        .untilAsserted(
            () -> assertThat(ask("stats").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200));
  }

  @Test
  void client_thatReadsNothing_isDisconnected() throws Exception {
    start(Duration.ofSeconds(1));
    name = "x".repeat(LARGE);
    try (Socket silent = asked("/v1/deferred/stats")) {
      await()
          .untilAsserted(
              () -> assertThat(ask("stats").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200));
      assertThat(read(silent)).isLessThan(LARGE);
    }
  }

  private volatile int atWork;

  private void start(Duration reading) {
    HttpLimits defaults = HttpLimits.defaults();
    http =
        EnforcerHttp.start(
            new HttpConfig("127.0.0.1", 0, Optional.empty()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            Health.Ready::new,
            new EnforcerQueries(
                (rule, attributes) -> new UsageAnswer.NotFound("none"),
                new Waiting(),
                new LatePenaltiesQuery(),
                new LateEnforcersQuery()),
            new HttpLimits(
                new HttpLimits.Sizes(
                    defaults.sizes().request(), defaults.sizes().headers(), UNREAD),
                new HttpLimits.Times(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1),
                    defaults.times().connectionAge(),
                    reading),
                defaults.connections(),
                defaults.streams(),
                2));
  }

  private CompletableFuture<HttpResponse<String>> ask(String question) {
    URI uri = URI.create("http://" + http.address() + "/v1/deferred/" + question);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Asks, and reads no more than the first byte of the answer. */
  private Socket asked(String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.port()));
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    assertThat(socket.getInputStream().read()).isEqualTo('H');
    return socket;
  }

  private static long read(Socket socket) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long sum = 0;
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        sum += n;
      }
    } catch (SocketException reset) {
      return sum;
    }
    return sum;
  }

  private final class Waiting implements DeferredQuery {
    private <T> CoveredAnswer<T> answer(T found) {
      if (waits) {
        synchronized (this) {
          atWork++;
        }
        try {
          slow.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return new CoveredAnswer<>(found, new Coverage(List.of(0), Map.of(), List.of()));
    }

    private QueueStats stats() {
      return new QueueStats(name, 1, List.of(0L, 0L, 1L, 0L), 1, 0, 1_000);
    }

    @Override
    public CoveredAnswer<List<QueueStats>> statsByRule(Where where) {
      return answer(List.of(stats()));
    }

    @Override
    public CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
      return answer(new Page<>(List.of(stats()), false));
    }

    @Override
    public CoveredAnswer<Page<DeferredEntry>> list(
        Where where, Optional<DeferredPlace> after, int most) {
      return answer(Page.empty());
    }

    @Override
    public CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> partitions) {
      return answer(List.of());
    }
  }
}
