package io.quotaenforcer.languages;

import static io.quotaenforcer.cli.MoreCommands.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void service_askingTwoGateways_isAdmittedExactlyItsLimit(Language language) throws Exception {
    assumeTrue(
        Quota.create(new PrintWriter(System.err), new PrintWriter(System.err), Map.of(), NONE)
            .getSubcommands()
            .containsKey("gateway"),
        "a gateway");
    language.prepare();
    try (Quotas quotas = Quotas.start(folder, RULES);
        ChildJvm one = launch("one", quotas);
        ChildJvm other = launch("other", quotas)) {
      EnforcerJvm enforcer = quotas.startEnforcer();
      List<String> gateways = List.of(addressOf(one), addressOf(other));

      Program service =
          language.run("ask", Integer.toString(LIMIT), gateways.get(0), gateways.get(1));

      assertThat(service.exitCode()).as(service.output()).isZero();
      assertThat(service.output())
          .contains("admitted " + LIMIT + ", failed 0 ", "statuses [200, 429]");
      await()
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(enforcer.used(Quotas.key("posts", "per-user", "ann"), "user"))
                      .isEqualTo(LIMIT));
    }
  }

  private ChildJvm launch(String name, Quotas quotas) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve(name + ".properties"),
            "bootstrap.servers=%s\nhttp.port=0\nhttp.probe.port=0\ngrpc.port=0\n"
                .formatted(quotas.bootstrapServers()));
    return ChildJvm.start(
        name, folder.resolve(name), Main.class, "gateway", "--config", config.toString());
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
