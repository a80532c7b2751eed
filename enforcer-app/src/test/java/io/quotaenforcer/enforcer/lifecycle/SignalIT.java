package io.quotaenforcer.enforcer.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a process of its own, which is ended from outside. */
@Timeout(60)
class SignalIT {
  /** A program with a broker, which runs until a signal ends it. */
  public static final class Program {
    public static void main(String[] arguments) throws Exception {
      try (Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(10))) {
        EmbeddedBroker broker = lifecycle.add("broker", EmbeddedBroker.start());
        System.out.println(broker.dataFolder());
        System.out.println(broker.bootstrapServers());
        lifecycle.awaitStop();
      }
    }
  }

  @Test
  void program_endedByASignal_leavesNoFolderNoPortNoProcess() throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
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

  private static boolean listens(String address) {
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
