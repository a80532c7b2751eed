package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TopicsCommandIT {
  private static EmbeddedBroker broker;

  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void topics_createdAndChecked_areGood() {
    assertThat(run("topics", "check", "--prefix", "a.")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "error: there are no topics with prefix a. (no a.rules); run: quota topics create"
                + " --prefix a., or check the prefix\n");

    assertThat(run("topics", "create", "--prefix", "a.", "--partitions", "4")).isZero();
    assertThat(out.toString().lines())
        .contains("TOPIC              PARTITIONS  CLEANUP         WAS")
        .contains("a.usage                     4  delete          created");
    assertThat(err.toString()).startsWith("warning: replication factor 1: ").hasLineCount(1);

    assertThat(run("topics", "create", "--prefix", "a.", "-o", "json")).isZero();
    assertThat(out.toString()).contains("\"created\" : [ ]", "\"partitions\" : 4");

    assertThat(run("topics", "check", "--prefix", "a.")).isZero();
    assertThat(out.toString())
        .isEqualTo("ok, prefix a.: 4 partitions, at most 100 instances per window\n");
    assertThat(run("topics", "check", "--prefix", "a.", "-o", "json")).isZero();
    assertThat(out.toString()).contains("\"ok\" : true");

    assertThat(run("topics", "create", "--prefix", "a.", "--partitions", "5")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "error: prefix a. has partitions 4 for good, not 5: use another prefix, or leave"
                + " --partitions out\n");
  }

  @Test
  void rules_onTheirTopic_areListed() {
    assertThat(run("topics", "create", "--prefix", "b.")).isZero();

    assertThat(run("rules", "list", "--prefix", "b.", "-o", "json")).isZero();

    assertThat(out.toString()).isEqualTo("[ ]\n");
  }

  @Test
  void registry_thatIsAway_isNamedAndUnreachable() throws Exception {
    String away = "http://127.0.0.1:1";
    assertThat(run("topics", "create", "--prefix", "c.")).isZero();
    publish("c.rules", "posts/a", new byte[] {0, 0, 0, 0, 1, 2});

    for (String command : List.of("list", "get posts/a", "delete posts/b")) {
      List<String> line = new ArrayList<>(List.of("rules"));
      line.addAll(List.of(command.split(" ")));
      line.addAll(List.of("--prefix", "c.", "--schema-registry", away));

      assertThat(run(line.toArray(String[]::new))).as(command).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(err.toString()).startsWith("error: schema registry " + away).hasLineCount(1);
    }
    assertThat(run("topics", "create", "--prefix", "d.", "--schema-registry", away))
        .isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err.toString()).contains("error: schema registry " + away);
  }

  @Test
  void rules_underHostileKeys_areListedEscaped() throws Exception {
    assertThat(run("topics", "create", "--prefix", "e.")).isZero();
    publish("e.rules", "\u001b[2J\u202eposts/a\r\n", new byte[] {1});

    assertThat(run("rules", "list", "--prefix", "e.")).isZero();

    assertThat(err.toString())
        .startsWith("warning: \\u001b[2J\\u202eposts/a\\u000d\\u000a cannot be read: ")
        .hasLineCount(1)
        .doesNotContain("\u001b", "\u202e", "\r");
  }

  private static void publish(String topic, String key, byte[] value) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, key, value)).get();
    }
  }

  @Test
  void check_ofBrokersWhoseTransactionsAreOfAnOlderVersion_fails() throws Exception {
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

      await().until(() -> run("topics", "check", server) == ExitCode.FAILED);
      assertThat(err.toString()).contains("transaction.version=1");
    }
  }

  private int run(String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
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
