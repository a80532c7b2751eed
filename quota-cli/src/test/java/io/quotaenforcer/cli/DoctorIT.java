package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.doctor.Finding;
import io.quotaenforcer.cli.doctor.Finding.Level;
import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.cli.examine.Examination;
import io.quotaenforcer.cli.examine.Subject;
import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is broken in one way at a time: the doctor names it, and what to do. */
@Timeout(270)
class DoctorIT {
  private static final String NOBODY = "http://127.0.0.1:1";
  private static EmbeddedBroker broker;

  private StringWriter out = new StringWriter();

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void cluster_withAnEnforcer_hasNoProblemButWhatItsDiskHas(@TempDir Path state) throws Exception {
    create("well.");
    EnforcerConfig config =
        EnforcerConfig.of(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "topic.prefix",
                "well.",
                "application.id",
                "well",
                "state.dir",
                state.toString(),
                "http.port",
                0));
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    try (Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(60))) {
      String address =
          "http://"
              + new EnforcerRun(config, Duration.ofSeconds(60), nowhere, nowhere).start(lifecycle);
      await().atMost(Duration.ofSeconds(120)).until(() -> isReady(address));
      List<Finding> findings = examine(config, address, HostClocks.system());

      assertThat(findings)
          .filteredOn(finding -> finding.check() != Finding.Check.DISK)
          .noneMatch(finding -> finding.level() == Level.PROBLEM);
      assertThat(findings)
          .filteredOn(finding -> finding.level() == Level.OK)
          .extracting(Finding::check)
          .contains(
              Finding.Check.CONNECTION,
              Finding.Check.BROKERS,
              Finding.Check.RIGHTS,
              Finding.Check.OFFSETS,
              Finding.Check.REGISTRY,
              Finding.Check.CLOCK,
              Finding.Check.ENFORCERS,
              Finding.Check.CLIENTS,
              Finding.Check.LAG,
              Finding.Check.RULES);
      assertThat(findings)
          .contains(
              Finding.ok(
                  Finding.Check.ENFORCERS, "1 enforcer(s) in group well have all 16 partitions"));
      // The enforcer is of a jar's version or, like this test, of none yet.
      assertThat(findings)
          .filteredOn(finding -> finding.check() == Finding.Check.ENFORCERS)
          .anyMatch(
              finding ->
                  finding.text().startsWith(address + ": of this program's version, ")
                      || finding.text().startsWith(address + " is of version "));
      assertThat(findings).anyMatch(finding -> finding.text().contains("Kafka 4.3 (metadata"));
    }
  }

  @Test
  void noBroker_isNamed() {
    expect(
        doctor("--bootstrap-server=127.0.0.1:1", "--connect-timeout=2s"),
        "problem  connection 127.0.0.1:1: nothing listens there; start the broker");
  }

  @Test
  void listenerOfAnotherProtocol_isNamed() throws Exception {
    try (ServerSocket tls = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      expect(
          doctor("--bootstrap-server=127.0.0.1:" + tls.getLocalPort(), "--connect-timeout=2s"),
          "takes connections, and no Kafka client gets through: its listener expects another"
              + " security.protocol");
    }
  }

  @Test
  void listenerThatIsAdvertisedElsewhere_isNamed() {
    try (EmbeddedBroker elsewhere =
        EmbeddedBroker.start(
            BrokerOptions.defaults()
                .withOverrides(Map.of("advertised.listeners", "PLAINTEXT://127.0.0.1:1")))) {
      expect(
          doctor("--bootstrap-server=" + elsewhere.bootstrapServers(), "--connect-timeout=3s"),
          "advertised.listeners that cannot be reached from here");
    }
  }

  @Test
  void rightsThatAreMissing_areNamed() throws Exception {
    Map<String, String> authorizer =
        Map.of(
            "authorizer.class.name",
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found",
            "true");
    try (EmbeddedBroker strict =
            EmbeddedBroker.start(BrokerOptions.defaults().withOverrides(authorizer));
        Admin admin = Admin.create(Map.of("bootstrap.servers", strict.bootstrapServers()))) {
      String server = "--bootstrap-server=" + strict.bootstrapServers();
      assertThat(run("topics", "create", server)).isZero();
      admin
          .createAcls(
              List.of(
                  acl(ResourceType.TOPIC, "quota.replays", "User:ANONYMOUS", AclOperation.DESCRIBE),
                  acl(
                      ResourceType.TRANSACTIONAL_ID,
                      "quota-enforcer-doctor",
                      "User:other",
                      AclOperation.WRITE)))
          .all()
          .get();

      await()
          .untilAsserted(
              () -> {
                String lines = doctor(server);
                expect(
                    lines,
                    "Kafka does not allow Write, DescribeConfigs on topic quota.replays, which the"
                        + " role enforcer needs: add an ACL");
                expect(lines, "--operation Write --transactional-id quota-enforcer-doctor");
              });
      assertThat(doctor(server, "--as=service")).contains("allows all that the role service");
    }
  }

  @Test
  void topicThatIsMissing_isNamed(TestInfo test) throws Exception {
    create("missing.");
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of("missing.replays")).all().get();
    }
    expect(
        doctor("--prefix=missing."),
        "topic missing.replays does not exist; run: quota topics create --prefix missing.");
  }

  @Test
  void topicWithOtherPartitions_isNamed() throws Exception {
    create("parts.");
    try (Admin admin = admin()) {
      admin.createPartitions(Map.of("parts.usage", NewPartitions.increaseTo(17))).all().get();
    }
    await()
        .untilAsserted(
            () ->
                expect(
                    doctor("--prefix=parts."),
                    "topic parts.usage must have 16 partition(s), it has 17",
                    "use another prefix"));
  }

  @Test
  void topicWithOtherCleanup_isNamed() throws Exception {
    create("clean.");
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "clean.usage");
    try (Admin admin = admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  topic,
                  Set.of(
                      new AlterConfigOp(
                          new ConfigEntry("cleanup.policy", "compact"), AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
    await()
        .untilAsserted(
            () ->
                expect(
                    doctor("--prefix=clean."),
                    "topic clean.usage must have cleanup.policy=delete, it has compact; run:"
                        + " kafka-configs.sh"));
  }

  @Test
  void replicationOf1_isAWarning_noEnforcerAProblem() throws Exception {
    create("single.");
    String lines = doctor("--prefix=single.");

    expect(lines, "warning  topics     replication factor 1: a lost broker loses counts and rules");
    expect(lines, "problem  enforcers  no enforcer runs: group quota-enforcer has no members");
    assertThat(lines).contains("ok       connection the only broker of Kafka");
  }

  @Test
  void transactionsOfAnOlderVersion_areNamed() throws Exception {
    try (EmbeddedBroker older = EmbeddedBroker.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", older.bootstrapServers()))) {
      String server = "--bootstrap-server=" + older.bootstrapServers();
      assertThat(run("topics", "create", server)).isZero();
      FeatureUpdate downgrade =
          new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
      admin
          .updateFeatures(Map.of("transaction.version", downgrade), new UpdateFeaturesOptions())
          .all()
          .get();

      await()
          .untilAsserted(
              () ->
                  expect(
                      doctor(server),
                      "the cluster has transaction.version=1, and must have 2",
                      "kafka-features.sh"));
    }
  }

  @Test
  void registryThatIsAway_isNamed() throws Exception {
    create("away.");
    expect(
        doctor("--prefix=away.", "--schema-registry=http://127.0.0.1:1"),
        "problem  registry   schema registry http://127.0.0.1:1",
        "cannot be reached",
        "start it, or correct schema.registry.url");
  }

  @Test
  void subjectThatIsIncompatible_isNamed() throws Exception {
    create("other.");
    HttpServer registry =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          boolean compares = path.startsWith("/compatibility/");
          boolean isOther = path.contains("other.usage-io");
          String answer =
              compares
                  ? "{\"is_compatible\":" + !isOther + "}"
                  : "{\"error_code\":40403,\"message\":\"Schema not found\"}";
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .add("Content-Type", "application/vnd.schemaregistry.v1+json");
          exchange.sendResponseHeaders(compares ? 200 : 404, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    registry.start();
    try {
      String lines =
          doctor(
              "--prefix=other.",
              "--schema-registry=http://127.0.0.1:" + registry.getAddress().getPort());

      expect(
          lines,
          "subject other.usage-io.quotaenforcer.schemas.UsageReport: this version's schema is"
              + " incompatible with what is registered",
          "set its compatibility");
      assertThat(lines.lines().filter(line -> line.contains(" registry "))).hasSize(1);
    } finally {
      registry.stop(0);
    }
  }

  @Test
  void clockThatIsAhead_isNamed() throws Exception {
    create("clock.");
    HostClocks right = HostClocks.system();
    HostClocks ahead =
        new HostClocks(
            right.monotonicNanos(),
            () -> right.epochNanos().getAsLong() + Duration.ofMinutes(2).toNanos());
    EnforcerConfig config =
        EnforcerConfig.of(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "topic.prefix", "clock."));

    assertThat(examine(config, NOBODY, ahead))
        .anySatisfy(
            finding -> {
              assertThat(finding.check()).isEqualTo(Finding.Check.CLOCK);
              assertThat(finding.level()).isEqualTo(Level.PROBLEM);
              assertThat(finding.text())
                  .contains("this host's clock is 120 s ahead of the brokers'", "NTP");
            });
  }

  @Test
  void enforcerOfAnotherVersion_isNamed() throws Exception {
    create("version.");
    try (FakeEnforcer other =
        new FakeEnforcer(
            question ->
                question.equals("/metrics")
                    ? "quota_build_info{version=\"9.9\"} 1.0\n"
                    : "{\"enforcers\":[]}")) {
      expect(
          doctor("--prefix=version.", "--enforcer=" + other.address()),
          "warning  enforcers  " + other.address() + " is of version 9.9, and this program of",
          "upgrade all enforcers to one version soon");
    }
  }

  @Test
  void json_hasEachFinding_andRolesAreChecked() throws Exception {
    create("json.");

    assertThat(run("doctor", "--prefix=json.", "-o", "json", "--enforcer=" + NOBODY)).isEqualTo(1);
    assertThat(out.toString())
        .startsWith("{\n  \"ok\" : false,\n  \"findings\" : [ {\n    \"check\" : \"connection\"")
        .contains("\"level\" : \"problem\"");
    assertThat(run("doctor", "--as=servce")).isEqualTo(2);
  }

  private static AclBinding acl(
      ResourceType type, String name, String principal, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW));
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static List<Finding> examine(EnforcerConfig config, String enforcer, HostClocks clocks)
      throws InterruptedException {
    return new Examination(
            new Subject(
                config,
                Role.ENFORCER,
                Duration.ofSeconds(30),
                URI.create(enforcer),
                VersionProvider.program(),
                clocks))
        .run();
  }

  private static boolean isReady(String address) throws Exception {
    return HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address + "/health/ready")).build(),
                HttpResponse.BodyHandlers.discarding())
            .statusCode()
        == 200;
  }

  private void create(String prefix) {
    assertThat(run("topics", "create", "--prefix", prefix)).isZero();
  }

  /** The lines of a doctor that must find a problem. */
  private String doctor(String... options) {
    List<String> line = new ArrayList<>(List.of("doctor"));
    line.addAll(List.of(options));
    if (line.stream().noneMatch(option -> option.startsWith("--enforcer"))) {
      line.add("--enforcer=" + NOBODY);
    }
    run(line.toArray(String[]::new));
    return out.toString();
  }

  private static void expect(String lines, String... words) {
    assertThat(lines.lines().toList())
        .as("%s", lines)
        .anySatisfy(line -> assertThat(line).contains(words));
  }

  private int run(String... arguments) {
    out = new StringWriter();
    StringWriter err = new StringWriter();
    return Quota.create(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            Map.of(
                "QUOTA_BOOTSTRAP_SERVERS",
                broker.bootstrapServers(),
                "QUOTA_CONNECT_TIMEOUT",
                "40s"),
            MoreCommands.NONE)
        .execute(arguments);
  }
}
