package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator's work with deferred requests, command by command, against a live enforcer. */
@Timeout(360)
class DeferredCommandsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PARTITIONS = 2;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The first request of a quota key is released; all others wait. */
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: whole
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
      """;

  @TempDir static Path folder;

  private static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());
  private static EmbeddedBroker broker;
  private static EnforcerJvm enforcer;
  private static TopicTap tap;
  private static Path token;

  @BeforeAll
  static void startAll() throws Exception {
    broker = EmbeddedBroker.start();
    kafka("topics", "create", "--partitions=" + PARTITIONS);
    kafka("rules", "apply", Files.writeString(folder.resolve("r.yaml"), RULES).toString());
    tap = new TopicTap(broker.bootstrapServers());
    token = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"), broker.bootstrapServers(), "http.token.file=" + token);
    enforcer.awaitReady();
  }

  @AfterAll
  static void stopAll() {
    enforcer.close();
    tap.close();
    broker.close();
  }

  @Test
  void requests_areCountedListedAndShown() throws Exception {
    QuotaKey key = QuotaKey.parse("posts/per-user/ann");
    defer(key, "ann", Priority.NORMAL, Priority.LOW, Priority.HIGH, Priority.NORMAL);
    awaitWaiting(key, 3);

    JsonNode stats = json("stats", "--key", key.toString()).path("queues").path(0);
    assertThat(stats.path("waiting").toString())
        .isEqualTo("{\"expedited\":0,\"high\":1,\"normal\":1,\"low\":1}");
    assertThat(stats.path("unacknowledged").asInt()).isEqualTo(1);
    assertThat(stats.path("oldestSince").asText()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(ok("stats").out()).contains("posts/per-user").contains("OLDEST SINCE");
    assertThat(ok("stats", "--rule", "posts/per-user", "--by-key").out())
        .contains("posts/per-user/ann");

    assertThat(ok("list", "--key", key.toString()).out().lines().map(line -> line.split(" +")[0]))
        .containsExactly("ID", "ann-2", "ann-0", "ann-3", "ann-1");
    QuotaRun page = ok("list", "--rule", "posts/per-user", "--limit", "1");
    String more = page.out().lines().filter(it -> it.startsWith("more: ")).findFirst().orElse("");
    assertThat(
            ok(
                    "list",
                    "--rule",
                    "posts/per-user",
                    "--limit=2",
                    "--after=" + more.substring("more: --after ".length()))
                .out())
        .doesNotContain(page.out().lines().skip(1).findFirst().orElse("?").split(" ")[0] + " ")
        .contains("STATE");

    assertThat(ok("show", "ann-1", "--payload", "--token-file=" + token).out().lines())
        .contains(
            "id: ann-1",
            "quotaKey: posts/per-user/ann",
            "state: waiting",
            "priority: low",
            "payloadBytes: 13",
            "headers.trace: t1",
            "attributes.user: ann",
            "hello ann-1",
            "deferredAt: 1970-01-01T00:00:01Z");
    assertThat(ok("show", "ann-0").out()).contains("state: released");
    assertThat(deferred("show", "nobody").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void cancelledRequest_isADeadLetter_andWaitsAgainWhenItIsRedriven() throws Exception {
    QuotaKey key = QuotaKey.parse("posts/per-user/bob");
    defer(key, "bob", Priority.NORMAL, Priority.NORMAL, Priority.NORMAL);
    awaitWaiting(key, 2);

    QuotaRun dry = change("cancel", "bob-1", "--dry-run");
    assertThat(dry.out().lines()).containsExactly("ID     OUTCOME", "bob-1  would be cancelled");
    assertThat(json("show", "bob-1").path("state").asText()).isEqualTo("waiting");

    QuotaRun cancel = change("cancel", "bob-0", "bob-1", "nobody", "--reason", "too old");
    assertThat(cancel.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(cancel.out().lines())
        .containsExactly(
            "ID      OUTCOME",
            "bob-0   released already: a service runs it",
            "bob-1   cancelled",
            "nobody  not known: it has been run, is a dead letter, or was never deferred");
    assertThat(deferred("show", "bob-1").exitCode()).isEqualTo(ExitCode.FAILED);

    QuotaRun letters = kafka("dead-letters", "list", "--id", "bob-1");
    assertThat(letters.out()).contains("quota.deferred  bob-1").contains("-  cancelled: too old\n");
    QuotaRun would = kafka("dead-letters", "redrive", "--id", "bob-1", "--dry-run");
    assertThat(would.out()).contains("would be redriven");
    assertThat(deferred("show", "bob-1").exitCode()).isEqualTo(ExitCode.FAILED);

    assertThat(kafka("dead-letters", "redrive", "--id=bob-1", "--reason=too old").out())
        .contains("  redriven\n");
    awaitWaiting(key, 2);
    assertThat(json("show", "bob-1").path("state").asText()).isEqualTo("waiting");
    assertThat(json("show", "bob-1").has("deadline")).isFalse();
    QuotaRun twice = QuotaRun.of("dead-letters", "redrive", "--id", "bob-1", server());
    assertThat(twice.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(twice.out()).contains("left: redriven before");
    assertThat(
            read(kafka("dead-letters", "list", "--id=bob-1", "-o", "json"))
                .path("deadLetters")
                .path(0)
                .has("redrivenAt"))
        .isTrue();
  }

  /** Who has read, and is about to write, is ended before the next one reads. */
  @Test
  void redrive_endsWhoBeganBefore_evenIfItWritesNothing() {
    try (Brokers brokers =
            Brokers.connect(KafkaConnection.to(broker.bootstrapServers(), "the test"), TIMEOUT);
        RecordWriter earlier = RecordWriter.inTransactions(brokers, "quota.dead-letters")) {
      QuotaRun.of("dead-letters", "redrive", "--id=nobody", server());

      assertThatThrownBy(
              () ->
                  earlier.write(
                      List.of(new ProducerRecord<>("quota.dead-letters", bytes("late"), null))))
          .isInstanceOf(BrokersException.class);
    }
  }

  @Test
  void letter_redrivenByManyAtOnce_isWrittenOnce() throws Exception {
    QuotaKey key = QuotaKey.parse("posts/per-user/eve");
    defer(key, "eve", Priority.NORMAL, Priority.NORMAL);
    awaitWaiting(key, 1);
    change("cancel", "eve-1");

    ExecutorService operators = Executors.newFixedThreadPool(4);
    List<CompletableFuture<QuotaRun>> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      runs.add(
          CompletableFuture.supplyAsync(
              () -> QuotaRun.of("dead-letters", "redrive", "--id=eve-1", server()), operators));
    }
    runs.forEach(CompletableFuture::join);
    operators.shutdown();

    assertThat(deferrals("eve-1")).as("as it came, and redriven").isEqualTo(2);
    assertThat(kafka("dead-letters", "list", "--id=eve-1").out()).contains("eve-1");
  }

  private static long deferrals(String id) {
    return tap.read("quota.deferred").stream()
        .filter(record -> !new String(record.key(), StandardCharsets.UTF_8).equals("poison"))
        .map(record -> WIRE.decodeDeferralInput(record.value()))
        .filter(it -> it instanceof DeferredRequest request && request.id().equals(id))
        .count();
  }

  @Test
  void releasedRequest_isTheNextOfItsKey() throws Exception {
    QuotaKey key = QuotaKey.parse("posts/per-user/cid");
    defer(key, "cid", Priority.HIGH, Priority.HIGH, Priority.LOW);
    awaitWaiting(key, 2);

    assertThat(change("release", "cid-2", "--dry-run").out()).contains("would be next");
    assertThat(json("show", "cid-2").path("lane").asText()).isEqualTo("low");

    assertThat(change("release", "cid-2").out().lines())
        .containsExactly("ID     OUTCOME", "cid-2  next");
    assertThat(json("show", "cid-2").path("lane").asText()).isEqualTo("expedited");
    assertThat(json("show", "cid-2").path("state").asText())
        .as("it still pays the limit")
        .isEqualTo("waiting");
    assertThat(ok("list", "--key", key.toString()).out().lines().skip(1).findFirst())
        .hasValueSatisfying(line -> assertThat(line).startsWith("cid-2"));
  }

  @Test
  void purge_takesOutAllThatWaitsForARule() throws Exception {
    for (String user : List.of("ann", "bob", "cid", "dan")) {
      QuotaKey key = QuotaKey.parse("posts/whole/" + user);
      defer(key, "whole-" + user, Priority.NORMAL, Priority.HIGH);
      awaitWaiting(key, 1);
    }

    QuotaRun dry = change("purge", "--rule", "posts/whole", "--dry-run");
    assertThat(dry.out().lines())
        .hasSize(5)
        .startsWith("posts/whole: 4 waiting request(s) of 4 quota key(s) would be purged");
    QuotaRun one = change("purge", "--key", "posts/whole/ann", "-o", "json");
    assertThat(read(one).path("requests").asInt()).isEqualTo(1);
    assertThat(read(one).path("left").asInt()).isZero();

    assertThat(change("purge", "--rule", "posts/whole", "--reason", "not needed").out())
        .isEqualTo("posts/whole: 3 waiting request(s) of 4 quota key(s) purged\n");

    JsonNode letters = read(kafka("dead-letters", "list", "--rule", "posts/whole", "-o", "json"));
    assertThat(letters.path("deadLetters"))
        .extracting(letter -> letter.path("reason").asText())
        .containsExactlyInAnyOrder(
            "purged: by hand", "purged: not needed", "purged: not needed", "purged: not needed");
  }

  @Test
  void letterThatNobodyCanRead_isListed() throws Exception {
    tap.write("quota.deferred", 0, bytes("poison"), new byte[] {1, 2, 3});
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(
                        kafka("dead-letters", "list", "--topic=deferred", "--reason=refused").out())
                    .contains("poison", "deferral refused: "));
    assertThat(kafka("dead-letters", "list", "--since", "2000-01-01T00:00:00Z").out())
        .contains("poison");
    assertThat(kafka("dead-letters", "list", "--topic", "usage").out()).hasLineCount(1);
  }

  private static void defer(QuotaKey key, String id, Priority... priorities) {
    for (int i = 0; i < priorities.length; i++) {
      DeferralInput request =
          new DeferredRequest(
              id + "-" + i,
              key,
              Request.of("user", key.values().get(0)),
              Payload.of(bytes("hello %s-%d\n\n".formatted(id, i))),
              Map.of("trace", "t" + i),
              priorities[i],
              System.currentTimeMillis() + Duration.ofHours(1).toMillis(),
              1_000,
              ReplyTo.NOBODY);
      tap.write(
          "quota.deferred", key.partition(PARTITIONS), bytes(key.toString()), WIRE.encode(request));
      if (i == 0) {
        awaitReleased(key);
      }
    }
  }

  private static void awaitReleased(QuotaKey key) {
    await().atMost(TIMEOUT).until(() -> queue(key).path("unacknowledged").asInt() == 1);
  }

  private static void awaitWaiting(QuotaKey key, int waiting) {
    await().atMost(TIMEOUT).until(() -> queue(key).path("total").asInt() == waiting);
  }

  private static JsonNode queue(QuotaKey key) throws Exception {
    return json("stats", "--key", key.toString()).path("queues").path(0);
  }

  private static JsonNode json(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("-o", "json"));
    return read(ok(line.toArray(String[]::new)));
  }

  private static JsonNode read(QuotaRun run) throws Exception {
    return MAPPER.readTree(run.out());
  }

  private static QuotaRun ok(String... arguments) {
    QuotaRun run = deferred(arguments);
    assertThat(run.exitCode()).as(run.toString()).isZero();
    return run;
  }

  /** One that writes, too. */
  private static QuotaRun change(String... arguments) {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.add(server());
    return deferred(line.toArray(String[]::new));
  }

  private static QuotaRun deferred(String... arguments) {
    List<String> line = new ArrayList<>(List.of("deferred"));
    line.addAll(List.of(arguments));
    line.add("--enforcer=http://" + enforcer.address());
    return QuotaRun.of(line.toArray(String[]::new));
  }

  private static QuotaRun kafka(String... arguments) {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.add(server());
    return QuotaRun.done(line.toArray(String[]::new));
  }

  private static String server() {
    return "--bootstrap-server=" + broker.bootstrapServers();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
