package io.quotaenforcer.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class EmbeddedBrokerIT {
  @TempDir Path folder;

  @Test
  void broker_onATemporaryFolder_servesAndLeavesNothing() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    Path data = broker.dataFolder();
    try (broker) {
      createTopic(broker, "a");

      assertThat(topics(broker)).isEqualTo(Set.of("a"));
      assertThat(data).isDirectory();
      assertThat(broker.failureNow()).isEmpty();
    }

    assertThat(data).doesNotExist();
    assertThat(listens(broker)).isFalse();
  }

  @Test
  void broker_startedAgainOnItsFolder_keepsItsTopics() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(onFolder())) {
      createTopic(broker, "kept");
    }
    assertThat(folder.resolve("meta.properties")).exists();

    try (EmbeddedBroker broker = EmbeddedBroker.start(onFolder())) {
      assertThat(topics(broker)).isEqualTo(Set.of("kept"));
    }
  }

  @Test
  void brokers_severalInOneProcess_doNotDisturbEachOther() throws Exception {
    try (EmbeddedBroker first = EmbeddedBroker.start()) {
      try (EmbeddedBroker second = EmbeddedBroker.start()) {
        createTopic(second, "b");
      }

      createTopic(first, "a");
      assertThat(topics(first)).isEqualTo(Set.of("a"));
      assertThat(first.failureNow()).isEmpty();
    }
  }

  @Test
  void broker_closedTwice_isClosed() {
    EmbeddedBroker broker = EmbeddedBroker.start();
    broker.close();
    broker.close();

    assertThat(listens(broker)).isFalse();
  }

  @Test
  void port_thatIsTaken_isAClearError() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatExceptionOfType(BrokerException.class)
          .isThrownBy(() -> EmbeddedBroker.start(BrokerOptions.defaults().withPort(port)))
          .withMessage(
              "cannot listen on 127.0.0.1:%d, another program uses it: choose another port, or 0"
                  + " for a free one",
              port);
    }
  }

  @Test
  void folder_ofAnotherBroker_isAClearError() {
    try (EmbeddedBroker broker = EmbeddedBroker.start(onFolder())) {
      assertThatExceptionOfType(BrokerException.class)
          .isThrownBy(() -> EmbeddedBroker.start(onFolder()))
          .withMessage(
              "another broker uses the data folder %s: stop it, or choose another folder", folder);
      assertThat(broker.failureNow()).isEmpty();
    }
  }

  @Test
  void folder_leftByACrashBeforeItWasFormatted_isUsed() throws Exception {
    Files.createFile(folder.resolve("embedded-broker.lock"));

    try (EmbeddedBroker broker = EmbeddedBroker.start(onFolder())) {
      assertThat(topics(broker)).isEmpty();
    }
  }

  @Test
  void folder_withOtherFiles_isLeftAlone() throws Exception {
    Files.writeString(folder.resolve("thesis.txt"), "text");

    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(() -> EmbeddedBroker.start(onFolder()))
        .withMessageContaining(folder.toString())
        .withMessageContaining("thesis.txt");
    assertThat(folder.toFile().list()).containsExactly("thesis.txt");
  }

  @Test
  void folder_thatIsAFile_isAClearError() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(() -> EmbeddedBroker.start(BrokerOptions.defaults().withDataFolder(file)))
        .withMessageStartingWith("cannot use " + file + " as the broker's data folder");
  }

  @Test
  void broker_thatCannotStart_saysWhyInsteadOfEndingTheProcess() {
    assertThatExceptionOfType(BrokerException.class)
        .isThrownBy(
            () ->
                EmbeddedBroker.start(
                    onFolder().withOverrides(Map.of("log.cleaner.dedupe.buffer.size", "1"))))
        .withMessageContaining("log.cleaner");
  }

  private BrokerOptions onFolder() {
    return BrokerOptions.defaults().withDataFolder(folder);
  }

  private static boolean listens(EmbeddedBroker broker) {
    int port = Integer.parseInt(broker.bootstrapServers().split(":")[1]);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void createTopic(EmbeddedBroker broker, String name) throws Exception {
    try (Admin admin = admin(broker)) {
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }
  }

  private static Set<String> topics(EmbeddedBroker broker) throws Exception {
    try (Admin admin = admin(broker)) {
      return admin.listTopics().names().get();
    }
  }

  private static Admin admin(EmbeddedBroker broker) {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }
}
