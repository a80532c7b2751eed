package io.quotaenforcer.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service in another language is held to its limit by two gateways together. */
@Timeout(900)
class GatewaysIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int LIMIT = 100;
  private static final Pattern LISTENING =
      Pattern.compile("(http://[^,]+),.*; (http://\\S+/health/ready)");
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: %d, per: 1d, algorithm: fixed-window}
          enforcement: strict
      """
          .formatted(LIMIT);

  private static Quotas quotas;
  private static EnforcerJvm enforcer;
  private static ChildJvm one;
  private static ChildJvm other;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    quotas = Quotas.start(folder, RULES);
    one = quotas.startGateway("one");
    other = quotas.startGateway("other");
    enforcer = quotas.startEnforcer();
  }

  @AfterAll
  static void stop() throws Exception {
    quotas.close();
  }

  @ParameterizedTest
  @EnumSource
  void service_askingTwoGateways_isAdmittedExactlyItsLimit(Language language) throws Exception {
    language.prepare();
    String user = language.name().toLowerCase(Locale.ROOT);
    List<String> gateways = List.of(addressOf(one), addressOf(other));

    Program service =
        language.run("ask", user, Integer.toString(LIMIT), gateways.get(0), gateways.get(1));

    assertThat(service.exitCode()).as(service.output()).isZero();
    assertThat(service.output())
        .contains("admitted " + LIMIT + ", failed 0 ", "statuses [200, 429]");
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(enforcer.used(Quotas.key("posts", "per-user", user), "user"))
                    .isEqualTo(LIMIT));
  }

  /** The address of a gateway, once it is ready. */
  private static String addressOf(ChildJvm gateway) {
    String line = gateway.awaitLine("checking at ", TIMEOUT);
    Matcher listening = LISTENING.matcher(line);
    assertThat(listening.find()).as(line).isTrue();
    HttpRequest ready = HttpRequest.newBuilder(URI.create(listening.group(2))).build();
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(
            () ->
                HttpClient.newHttpClient()
                        .send(ready, HttpResponse.BodyHandlers.discarding())
                        .statusCode()
                    == 200);
    return listening.group(1);
  }
}
