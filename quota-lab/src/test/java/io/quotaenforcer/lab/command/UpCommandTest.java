package io.quotaenforcer.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.enforcer.ExitCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reasons that keep {@code quota up} and {@code quota broker} from starting are told before they
 * begin.
 */
class UpCommandTest {
  @TempDir Path folder;

  @Test
  void ports_thatAreTaken_areNamedTogether() throws Exception {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket gateway = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      QuotaRun run =
          up(
              "--port=" + broker.getLocalPort(),
              "--gateway-port=" + gateway.getLocalPort(),
              "--enforcer-port=0",
              "--grpc-port=0");

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err().lines())
          .containsExactly(taken(broker, "--port"), taken(gateway, "--gateway-port"));
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void broker_whosePortIsTaken_saysWhichOption() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      QuotaRun run =
          QuotaRun.of(
              LabCommands::create,
              "broker",
              "--data=" + folder.resolve("data"),
              "--port=" + other.getLocalPort());

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err().lines()).containsExactly(taken(other, "--port"));
    }
  }

  @Test
  void rules_thatAreNotValid_areNamedBeforeAnythingStarts() throws Exception {
    Path rules = Files.writeString(folder.resolve("mine.yaml"), "domain: posts\nrule: []\n");

    QuotaRun run =
        up(
            "--rules=" + rules,
            "--port=0",
            "--gateway-port=0",
            "--enforcer-port=0",
            "--grpc-port=0");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).startsWith("error: " + rules + ":2:1: ");
    assertThat(folder).isDirectoryNotContaining("glob:**broker");
  }

  @Test
  void port_thatIsNone_isRefused() {
    assertThat(up("--port=65536").err()).contains("must be from 0 to 65535: --port=65536");
  }

  private QuotaRun up(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "up";
    all[1] = "--data=" + folder;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return QuotaRun.of(LabCommands::create, all);
  }

  private static String taken(ServerSocket other, String option) {
    return "error: cannot listen on 127.0.0.1:%d, another program does: end it, or choose another port with %s (0: any that is free)"
        .formatted(other.getLocalPort(), option);
  }
}
