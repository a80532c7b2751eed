package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.MoreCommands;
import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code quota limits watch} shows of records that an enforcer would write. */
@Timeout(540)
class LimitsWatchIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long SINCE = Instant.parse("2026-11-01T10:00:00Z").toEpochMilli();

  @TempDir Path folder;

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private EmbeddedBroker broker;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() {
    broker = EmbeddedBroker.start();
    QuotaRun.done("topics", "create", "--partitions=2", server());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void stop() throws Exception {
    producer.close();
    broker.close();
  }

  private String server() {
    return "--bootstrap-server=" + broker.bootstrapServers();
  }

  private void write(String rule, @Nullable LimitInForce inForce) throws Exception {
    byte[] value = inForce == null ? null : wire.encode(inForce);
    for (int partition = 0; partition < 2; partition++) {
      producer
          .send(
              new ProducerRecord<>(
                  wire.topics().limitsInForce().name(),
                  partition,
                  rule.getBytes(StandardCharsets.UTF_8),
                  value))
          .get();
    }
  }

  private static LimitInForce inForce(int basisPoints, String reason) {
    return new LimitInForce(basisPoints, LimitCause.LOWERED, reason, SINCE);
  }

  @Test
  void watch_showsWhatIsInForce_thenEachChangeOnce_untilCtrlC() throws Exception {
    write("api/all", inForce(10_000, "nothing lowers it"));
    write("api/all", inForce(5_000, "cpu > 80%: it was 95%"));
    write("api/gone", inForce(5_000, "cpu > 80%: it was 95%"));
    write("api/gone", null);
    try (ChildJvm watch =
        ChildJvm.start(
            "watch",
            folder.resolve("temporary"),
            Main.class,
            "limits",
            "watch",
            "-o",
            "json",
            server())) {
      String first = watch.awaitLine("{", TIMEOUT);
      assertThat("{" + first)
          .isEqualTo(
              "{\"rule\":\"api/all\",\"part\":0.5,\"since\":\"2026-11-01T10:00:00Z\","
                  + "\"cause\":\"lowered\",\"reason\":\"cpu > 80%: it was 95%\"}");
      write("api/all", inForce(2_025, "nobody says what the load is"));
      write("api/other", inForce(10_000, "nothing lowers it"));
      write("api/all", null);
      watch.awaitLine(4, "{", TIMEOUT);
      watch.signal("INT");

      assertThat(watch.exitCode(Duration.ofSeconds(20))).as(watch.toString()).isEqualTo(128 + 2);
      assertThat(watch.err()).isEmpty();
      assertThat(watch.out()).hasSize(4);
      assertThat(watch.out().get(1)).contains("\"api/all\",\"part\":0.2025", "nobody says");
      assertThat(watch.out().get(2)).contains("\"api/other\",\"part\":1.0");
      assertThat(watch.out().get(3))
          .startsWith("{\"rule\":\"api/all\",\"part\":null,\"since\":\"2");
    }
  }

  @Test
  void watch_inWords_endsWhenInterrupted() throws Exception {
    write("api/all", inForce(5_000, "cpu > 80%: it was 95%"));
    StringWriter said = new StringWriter();
    AtomicInteger exitCode = new AtomicInteger(-1);
    PrintWriter out = new PrintWriter(said, true);
    Thread watch =
        new Thread(
            () ->
                exitCode.set(
                    Quota.create(out, out, Map.of(), MoreCommands.NONE)
                        .execute("limits", "watch", server())));
    watch.start();
    await().atMost(TIMEOUT).until(() -> said.toString().contains("api/all"));
    write("api/all", null);
    await().atMost(TIMEOUT).until(() -> said.toString().contains("no longer"));
    watch.interrupt();
    watch.join(20_000);

    assertThat(exitCode).hasValue(0);
    assertThat(said.toString().lines().findFirst())
        .contains("2026-11-01T10:00:00Z  api/all  50%  cpu > 80%: it was 95%");
    assertThat(said.toString().lines()).hasSize(2);
  }

  @Test
  void watch_endsOnceNobodyReads() throws Exception {
    write("api/all", inForce(5_000, "cpu > 80%: it was 95%"));
    PrintWriter closed = new PrintWriter(new StringWriter(), true);
    closed.close();

    int exitCode =
        Quota.create(closed, closed, Map.of(), MoreCommands.NONE)
            .execute("limits", "watch", server());

    assertThat(exitCode).isZero();
  }
}
