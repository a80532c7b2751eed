package io.quotaenforcer.classpaths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.QuotaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service on each class path decides, and what it admits is counted. */
@Timeout(400)
class ClassPathsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(150);
  private static final int LIMIT = 150;

  /** Signs of classes that do not fit together; a warning about a slow broker is none. */
  private static final String[] BROKEN_LINKS = {
    "NoClassDefFound",
    "ClassNotFound",
    "NoSuchMethod",
    "NoSuchField",
    "AbstractMethodError",
    "IncompatibleClassChange",
    "IllegalAccessError",
    "VerifyError",
    "UnsupportedClassVersion",
    "ServiceConfigurationError",
    "Exception in thread",
    "ERROR"
  };

  private static final String RULES =
      """
      domain: %s
      rules:
        - {id: ask, match: {api: ask}, key: [user], enforcement: strict,
           limit: {permits: %d, per: 1d, algorithm: fixed-window}}
        - {id: later, match: {api: later}, key: [user], over-limit: defer,
           limit: {permits: 2, per: 1s}}
        - {id: seen, match: {api: seen}, key: [user],
           limit: {permits: 1000, per: 1d, algorithm: fixed-window}}
      """;

  @TempDir static Path folder;

  private static EmbeddedBroker broker;
  private static EnforcerJvm enforcer;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start(BrokerOptions.defaults());
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaProgram.run("topics", "create", "--partitions=2", server);
    for (Row row : Row.ALL) {
      Path rules = folder.resolve(row.domain() + ".yaml");
      Files.writeString(rules, RULES.formatted(row.domain(), LIMIT));
      QuotaProgram.run("rules", "apply", rules.toString(), server);
    }
    enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    enforcer.awaitReady();
  }

  @AfterAll
  static void stop() {
    if (enforcer != null) {
      enforcer.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  static List<Row> rows() {
    return Row.ALL;
  }

  @Test
  void rows_areThoseOfTheBuild() throws IOException {
    try (Stream<Path> poms = Files.find(Row.FOLDER, 2, (path, of) -> path.endsWith("pom.xml"))) {
      assertThat(poms.map(Path::getParent).filter(row -> !row.equals(Row.FOLDER)))
          .containsExactlyInAnyOrderElementsOf(
              Row.ALL.stream().map(row -> Row.FOLDER.resolve(row.name())).toList());
    }
  }

  /** Jars that Kafka's own clients bring along do not count as the client's. */
  @Test
  void client_bringsLessThan1250Kilobytes() throws IOException {
    long all = 0;
    for (Path jar : Row.ALL.get(0).jars()) {
      String name = jar.getFileName().toString();
      if (name.startsWith("quota-") || name.startsWith("jspecify-")) {
        System.out.printf("the client brings %s: %,d bytes%n", name, Files.size(jar));
        all += Files.size(jar);
      }
    }
    assertThat(all).isBetween(500_000L, 1_250_000L);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void client_besideOtherVersions_findsAllThatItRefersTo(Row row) {
    assertThat(LinkCheck.missing(row.jars())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void service_asksForMoreThanTheLimit_isCountedAsItWasAdmitted(Row row) throws Exception {
    ServiceRun run =
        ServiceRun.of(row, folder.resolve(row.name()), broker.bootstrapServers(), TIMEOUT);

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).doesNotContain(BROKEN_LINKS);
    assertThat(run.value("kafka")).startsWith(row.kafka());
    assertThat(run.value("avro")).startsWith(row.avro());
    assertThat(run.value("jackson")).startsWith(row.jackson());
    assertThat(run.value("replayed")).isEqualTo("mail");
    long admitted = Long.parseLong(run.value("admitted"));
    // Where its day ends meanwhile, the limit is there once more.
    assertThat(admitted).isBetween((long) LIMIT, (long) TinyService.REQUESTS);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              Map<String, Long> days = enforcer.usedByWindow(key(row, "ask"), "user");
              assertThat(days.values().stream().mapToLong(Long::longValue).sum())
                  .isEqualTo(admitted);
              assertThat(days.values()).allMatch(used -> used <= LIMIT);
              assertThat(enforcer.used(key(row, "seen"), "user")).isEqualTo(TinyService.EVENTS);
            });
  }

  private static QuotaKey key(Row row, String rule) {
    return QuotaKey.of(new RuleId(row.domain(), rule), List.of(row.domain()));
  }
}
