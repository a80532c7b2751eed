package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archives that {@code mvn package} makes, unpacked and run with a JVM and nothing else. */
@Timeout(540)
class TarIT {
  @TempDir Path folder;

  @Test
  void archives_unpacked_runAgainstABroker() throws Exception {
    Path quota = unpacked(Path.of("../quota-lab/target"), "quota-").resolve("bin/quota");
    Path enforcer = unpacked(Path.of("..", "enforcer-app", "target"), "quota-enforcer-");
    try (Installed programs = new Installed(folder, Map.of());
        EmbeddedBroker broker = EmbeddedBroker.start()) {
      assertThat(programs.output(quota, "version")).startsWith("quota 0.");
      String server = "--bootstrap-server=" + broker.bootstrapServers();
      programs.output(quota, "topics", "create", "--partitions=2", server);
      Path rules = quota.getParent().resolveSibling("config").resolve("rules.yaml");
      assertThat(programs.output(quota, "rules", "apply", server, rules.toString()))
          .contains("added");
      Path settings =
          Files.writeString(
              folder.resolve("enforcer.properties"),
              "bootstrap.servers=%s\nhttp.port=0\nstate.dir=%s\n"
                  .formatted(broker.bootstrapServers(), folder.resolve("state")));

      Path log = folder.resolve("enforcer.log");
      Process started =
          programs.start(log, enforcer.resolve("bin/enforcer"), "--config", settings.toString());
      programs.awaitReady(log, started);

      started.destroy();
      assertThat(started.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(log)).doesNotContain("ERROR", "WARNING: ", "standby");
    }
  }

  @Test
  void archives_holdWhatAServerNeedsBesideThePrograms() throws Exception {
    Path quota = unpacked(Path.of("../quota-lab/target"), "quota-");
    Path enforcer = unpacked(Path.of("..", "enforcer-app", "target"), "quota-enforcer-");
    assertThat(quota.resolve("completions/quota")).isNotEmptyFile();
    assertThat(quota.resolve("systemd/quota-gateway.service")).isNotEmptyFile();
    assertThat(enforcer.resolve("systemd/quota-enforcer.service")).isNotEmptyFile();
    assertThat(List.of(quota, enforcer))
        .allSatisfy(
            home -> {
              assertThat(home.resolve("LICENSE")).isNotEmptyFile();
              assertThat(home.resolve("NOTICE")).isNotEmptyFile();
            });
  }

  @Test
  void enforcersArchive_holdsNoBrokerNoDemoAndNoClient() throws Exception {
    List<String> classes = new ArrayList<>();
    Path lib = unpacked(Path.of("..", "enforcer-app", "target"), "quota-enforcer-").resolve("lib");
    try (Stream<Path> jars = Files.list(lib)) {
      for (Path each : jars.toList()) {
        try (JarFile jar = new JarFile(each.toFile())) {
          jar.stream().forEach(entry -> classes.add(entry.getName()));
        }
      }
    }

    assertThat(classes)
        .contains("io/quotaenforcer/enforcer/Main.class")
        .noneMatch(name -> name.startsWith("kafka/server/"))
        .noneMatch(name -> name.startsWith("io/quotaenforcer/lab/"))
        .noneMatch(name -> name.startsWith("io/quotaenforcer/client/"))
        .noneMatch(name -> name.matches("io/quotaenforcer/.*[Dd]emo.*"));
  }

  private Path unpacked(Path target, String name) throws Exception {
    Path archive = Installed.made(target, name + "[0-9.]+\\.tar\\.gz");
    Path into = Files.createDirectories(folder.resolve(name));
    Process tar =
        new ProcessBuilder("tar", "xzf", archive.toString(), "-C", into.toString()).start();
    assertThat(tar.waitFor()).isZero();
    try (Stream<Path> roots = Files.list(into)) {
      return roots.findFirst().orElseThrow();
    }
  }
}
