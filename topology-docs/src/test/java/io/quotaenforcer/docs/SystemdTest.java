package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.EnforcerSettings;
import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.gateway.GatewayRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of systemd are understood by it, are hardened, and leave time for an orderly end. */
class SystemdTest {
  private static final Path OPS = MarkdownFile.ROOT.resolve("ops");

  /** Of 100: what systemd says of how much a service could do to its host; 96 without hardening. */
  private static final int MOST_EXPOSED = 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"quota-enforcer.service", "quota-gateway.service"})
  void unit_isHardened_andRestartsWhatFailed(String unit) throws IOException {
    assertThat(settings(unit))
        .containsEntry("DynamicUser", "yes")
        .containsEntry("ProtectSystem", "strict")
        .containsEntry("NoNewPrivileges", "yes")
        .containsEntry("Restart", "on-failure")
        .containsEntry("CapabilityBoundingSet", "")
        // The JVM compiles into memory that it runs then.
        .doesNotContainKey("MemoryDenyWriteExecute");
  }

  @Test
  void stop_mayTakeAsLongAsAnOrderlyEnd() throws IOException {
    assertThat(timeToStop("quota-enforcer.service")).isGreaterThan(EnforcerRun.CLOSE_DEADLINE);
    Duration drain = GatewayConfig.of(Map.of("bootstrap.servers", "127.0.0.1:9092")).drain();
    assertThat(timeToStop("quota-gateway.service"))
        .isGreaterThan(GatewayRun.CLOSE_DEADLINE.plus(drain));
  }

  @Test
  void enforcersState_isInTheFolderThatSystemdMakes() throws IOException {
    Map<String, String> unit = settings("quota-enforcer.service");
    String[] variable = unit.get("Environment").split("=", 2);
    assertThat(Programs.unknown(EnforcerSettings.ALL, Set.of(variable[0]))).isEmpty();
    assertThat(variable[0]).isEqualTo("QUOTA_STATE_DIR");
    assertThat(variable[1]).isEqualTo("/var/lib/" + unit.get("StateDirectory"));
  }

  @Test
  void settingsOfThePackage_areAccepted() throws IOException {
    Path etc = OPS.resolve("debian/etc");
    EnforcerConfig.of(
        List.of(Programs.properties(Files.readString(etc.resolve("enforcer.properties")))));
    GatewayConfig.of(
        List.of(Programs.properties(Files.readString(etc.resolve("gateway.properties")))));
  }

  /** As they are for the archives, and with what the Debian package adds. */
  @ParameterizedTest
  @ValueSource(strings = {"quota-enforcer", "quota-gateway"})
  void systemdAnalyze_isContent(String name) throws Exception {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "systemd-analyze")));
    assumeThat(isThere).as("systemd-analyze is not here: units are not verified").isTrue();
    String text = Files.readString(OPS.resolve("systemd").resolve(name + ".service"));
    String addition = Files.readString(OPS.resolve("debian/systemd").resolve(name + ".conf"));
    for (String additions : List.of("", addition)) {
      Path unit = folder.resolve(name + ".service");
      // A program that is there stands for ours.
      Files.writeString(unit, text.replaceAll("(?m)^(ExecStart=)\\S+", "$1/bin/true"));
      Path added = Files.createDirectories(folder.resolve(name + ".service.d"));
      Files.writeString(
          added.resolve("debian.conf"),
          additions.replaceAll("(?m)^(ExecStart=)/\\S+", "$1/bin/true"));

      assertThat(analyzed("verify", unit.toString())).isEmpty();
      analyzed("security", "--offline=true", "--threshold=" + MOST_EXPOSED, unit.toString());
    }
  }

  private static String analyzed(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("systemd-analyze", "--no-pager"));
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static Duration timeToStop(String unit) throws IOException {
    return Duration.ofSeconds(Long.parseLong(settings(unit).get("TimeoutStopSec")));
  }

  private static Map<String, String> settings(String unit) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : Files.readAllLines(OPS.resolve("systemd").resolve(unit))) {
      if (line.matches("[A-Z]\\w+=.*")) {
        String[] both = line.split("=", 2);
        settings.put(both[0], both[1]);
      }
    }
    return settings;
  }
}
