package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, which is ended from outside. */
@Timeout(180)
class SignalIT {
  /** A program with a broker, which runs until a signal ends it. */
  public static final class Program {
    public static void main(String[] arguments) throws Exception {
      try (Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(10))) {
        EmbeddedBroker broker = lifecycle.open("broker", EmbeddedBroker::start);
        System.out.println(broker.dataFolder());
        System.out.println(broker.bootstrapServers());
        lifecycle.awaitStop();
      }
    }
  }

  @TempDir private Path temporary;

  @Test
  void program_endedWhileTheBrokerStarts_leavesNoFolder() throws Exception {
    Process program = start();
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> !brokerFolders().isEmpty());

      program.destroy();

      assertThat(program.waitFor(25, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(128 + 15);
      assertThat(brokerFolders()).isEmpty();
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void program_endedByASignal_leavesNoFolderNoPortNoProcess() throws Exception {
    Process program = start();
    try (BufferedReader output = program.inputReader()) {
      Path folder = Path.of(output.readLine());
      String address = output.readLine();
      assertThat(folder).isDirectory();
      assertThat(listens(address)).isTrue();

      program.destroy();

      assertThat(program.waitFor(15, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(128 + 15);
      assertThat(folder).doesNotExist();
      assertThat(listens(address)).isFalse();
    } finally {
      program.destroyForcibly();
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private List<Path> brokerFolders() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(it -> it.getFileName().toString().startsWith("quota-broker-")).toList();
    }
  }

  private static boolean listens(String address) {
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
