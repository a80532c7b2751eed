package io.quotaenforcer.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.RegistryProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events of programs in other languages are counted, each once. */
@Timeout(900)
class EventsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int EVENTS = 1_000;

  /** Each tenth comes twice more. */
  private static final int REPEATED = 2 * EVENTS / 10;

  private static final int THROTTLED = 1;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SUBJECT =
      "quota.request-events-io.quotaenforcer.schemas.RequestEvent";
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1000000, per: 1d, algorithm: fixed-window}
      """;

  @Nested
  class WithoutARegistry {
    private static Quotas quotas;
    private static EnforcerJvm enforcer;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
      quotas = Quotas.start(folder, RULES);
      enforcer = quotas.startEnforcer();
    }

    @AfterAll
    static void stop() throws Exception {
      quotas.close();
    }

    @ParameterizedTest
    @EnumSource
    void eventsAreCountedOnce(Language language) throws Exception {
      language.prepare();
      Counted before = Counted.of(enforcer);

      emit(language, quotas, "");

      assertCounted(enforcer, language, EVENTS, before);
      assertThat(quotas.arePlacedAsByJava("quota.request-events")).isTrue();
    }
  }

  @Nested
  class WithARegistry {
    private static Quotas quotas;
    private static RegistryProcess registry;
    private static EnforcerJvm enforcer;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
      quotas = Quotas.start(folder, RULES);
      registry = quotas.startRegistry();
      enforcer = quotas.startEnforcer("schema.registry.url=" + registry.url());
    }

    @AfterAll
    static void stop() throws Exception {
      quotas.close();
    }

    @ParameterizedTest
    @EnumSource
    void eventsAreCountedOnce_underTheSchemaThatJavaRegisters(Language language) throws Exception {
      language.prepare();
      Counted before = Counted.of(enforcer);

      emit(language, quotas, registry.url());
      Map<String, String> settings =
          Map.of(
              "bootstrap.servers",
              quotas.bootstrapServers(),
              "schema.registry.url",
              registry.url());
      try (RequestEventEmitter java = RequestEventEmitter.create(settings)) {
        java.emit(Request.of("user", user(language)), Outcome.ADMITTED);
      }

      assertCounted(enforcer, language, EVENTS + 1, before);
      assertThat(schemas(registry)).hasSize(1);
    }
  }

  /** Events that an enforcer has counted, and those that it knew. */
  private record Counted(long once, long repeated) {
    static Counted of(EnforcerJvm enforcer) throws Exception {
      return new Counted(events(enforcer, "counted"), events(enforcer, "repeated"));
    }

    private static long events(EnforcerJvm enforcer, String outcome) throws Exception {
      return Quotas.metric(enforcer, "quota_request_events", outcome);
    }
  }

  /** A user of the language's program only. */
  private static String user(Language language) {
    return language.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The schemas of all versions: where two programs register at once, the registry may give each
   * one.
   */
  private static Set<JsonNode> schemas(RegistryProcess registry) throws Exception {
    String versions = "/subjects/" + SUBJECT + "/versions";
    Set<JsonNode> schemas = new HashSet<>();
    for (JsonNode version : JSON.readTree(registry.request("GET", versions, "").body())) {
      String body = registry.request("GET", versions + "/" + version.asInt(), "").body();
      schemas.add(JSON.readTree(JSON.readTree(body).path("schema").asText()));
    }
    return schemas;
  }

  private static void emit(Language language, Quotas quotas, String registry) throws Exception {
    String events = Integer.toString(EVENTS);
    Program program =
        language.run("emit", quotas.bootstrapServers(), registry, user(language), events);
    assertThat(program.exitCode()).as(program.output()).isZero();
    assertThat(program.output())
        .contains("acknowledged " + (EVENTS + REPEATED + THROTTLED) + ", dropped 0");
  }

  private static void assertCounted(
      EnforcerJvm enforcer, Language language, long admitted, Counted before) throws Exception {
    Counted all = new Counted(before.once + admitted + THROTTLED, before.repeated + REPEATED);
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(Counted.of(enforcer)).isEqualTo(all));
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(enforcer.used(Quotas.key("posts", "per-user", user(language)), "user"))
                    .isEqualTo(admitted));
  }
}
