package io.quotaenforcer.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.testkit.Site;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A request that a rule defers is handed over with its body, and run later. */
@Timeout(360)
class DeferringFilterIT {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: mails, key: [path], enforcement: strict, over-limit: defer,
           limit: {permits: 1, per: 3s, algorithm: fixed-window}}
      """;

  @TempDir Path folder;

  @Test
  void overTheLimit_is202_andRunsLaterWithItsBodyAndTrace() throws Exception {
    List<Replay> replays = new CopyOnWriteArrayList<>();
    try (Site site = Site.start(Files.createDirectories(folder.resolve("site")), RULES);
        AdmissionClient client =
            AdmissionClient.builder().bootstrapServers(site.bootstrapServers()).build()) {
      assertThat(client.awaitRules(Duration.ofSeconds(30))).isTrue();
      client.replays(
          replay -> {
            replays.add(replay);
            return ReplayOutcome.done();
          },
          ReplayOptions.DEFAULTS);
      QuotaFilter filter =
          new QuotaFilter(
                  HttpQuota.builder(client, http -> Optional.of(Request.of("path", http.path())))
                      .maxWait(Duration.ofSeconds(2))
                      .statusLinks(id -> "/deferred/" + id)
                      .build())
              .deferring(client, request -> Deferral.of(body(request)));
      try (ShopService service = ShopService.start(folder, filter)) {
        HttpResponse<String> deferred =
            await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> post(service), it -> it.statusCode() != 200);

        assertThat(deferred.statusCode()).as(deferred.body()).isEqualTo(202);
        assertThat(deferred.headers().firstValue("Location").orElseThrow())
            .startsWith("/deferred/");
        assertThat(deferred.body()).contains("\"status\":\"deferred\"");
        await().atMost(Duration.ofSeconds(60)).until(() -> !replays.isEmpty());
        assertThat(new String(replays.get(0).payload().toByteArray(), StandardCharsets.UTF_8))
            .isEqualTo("dear reader");
        assertThat(replays.get(0).headers()).containsEntry("traceparent", PARENT);
      }
    }
  }

  private static byte[] body(HttpServletRequest request) {
    try {
      return request.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpResponse<String> post(ShopService service)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + "/mail"))
                .header("traceparent", PARENT)
                .POST(HttpRequest.BodyPublishers.ofString("dear reader"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
