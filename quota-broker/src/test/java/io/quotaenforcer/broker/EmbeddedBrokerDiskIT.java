package io.quotaenforcer.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On real, small file systems: mounting them needs root. */
@Timeout(270)
class EmbeddedBrokerDiskIT {
  @TempDir Path mountPoint;

  private boolean mounted;

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      run("umount", "-l", mountPoint.toString());
    }
  }

  @Test
  void disk_thatIsFullAtTheStart_isAClearError() throws Exception {
    mount("size=1m");

    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(() -> EmbeddedBroker.start(options()))
        .withMessageStartingWith(
            "the disk of the broker's data folder " + mountPoint + " is full (1 MB free)");
  }

  @Test
  void disk_thatIsFullAtTheStart_belowTheCheck_isAClearErrorToo() throws Exception {
    mount("size=12k");
    BrokerOptions unchecked =
        new BrokerOptions(options().dataFolder(), 0, Duration.ofSeconds(20), 0, Map.of());

    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(() -> EmbeddedBroker.start(unchecked))
        .withMessageContaining(mountPoint.toString());
  }

  @Test
  void folder_thatCannotBeWritten_isAClearError() throws Exception {
    mount("size=1m,ro");

    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(() -> EmbeddedBroker.start(options()))
        .withMessageStartingWith("cannot use " + mountPoint + " as the broker's data folder");
  }

  @Test
  void disk_thatFillsUpLater_failsTheBrokerAndNotTheProcess() throws Exception {
    mount("size=96m");
    try (EmbeddedBroker broker = EmbeddedBroker.start(options())) {
      createTopic(broker);
      fillUp();

      try (KafkaProducer<byte[], byte[]> producer = producer(broker)) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> {
                  producer.send(new ProducerRecord<>("a", new byte[500_000]));
                  return broker.failureNow().isPresent();
                });
      }

      assertThat(broker.failureNow().get())
          .hasMessageContaining(mountPoint.toString())
          .hasMessageContaining("full");
    }
  }

  private BrokerOptions options() {
    return BrokerOptions.defaults().withDataFolder(mountPoint);
  }

  private void mount(String options) throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", mountPoint.toString());
    assumeTrue(mounted, "SKIPPED: cannot mount a small file system here (root is needed)");
  }

  private void fillUp() throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream file = Files.newOutputStream(mountPoint.resolve("ballast"))) {
      while (true) {
        file.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    boolean done = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    if (!done) {
      System.err.println(String.join(" ", command) + ": " + output);
    }
    return done;
  }

  private static void createTopic(EmbeddedBroker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("a", 1, (short) 1))).all().get();
      // The controller has it; the broker hears of it a moment later.
      Awaitility.await()
          .untilAsserted(() -> assertThat(admin.listTopics().names().get()).isEqualTo(Set.of("a")));
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(EmbeddedBroker broker) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", broker.bootstrapServers(),
            "delivery.timeout.ms", 3_000,
            "request.timeout.ms", 2_000,
            "linger.ms", 0,
            "max.block.ms", 2_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
