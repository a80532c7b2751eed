package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archives that {@code mvn package} makes, unpacked and run with a JVM and nothing else. */
@Timeout(180)
class TarIT {
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void archives_unpacked_runAgainstABroker() throws Exception {
    Path quota = unpacked(Path.of("target"), "quota-").resolve("bin/quota");
    Path enforcer = unpacked(Path.of("..", "enforcer-app", "target"), "quota-enforcer-");
    assertThat(output(quota, "version")).startsWith("quota 0.");
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      String server = "--bootstrap-server=" + broker.bootstrapServers();
      output(quota, "topics", "create", "--partitions=2", server);
      Path rules = quota.getParent().resolveSibling("config").resolve("rules.yaml");
      assertThat(output(quota, "rules", "apply", server, rules.toString())).contains("added");
      Path settings =
          Files.writeString(
              folder.resolve("enforcer.properties"),
              "bootstrap.servers=%s\nhttp.port=0\nstate.dir=%s\n"
                  .formatted(broker.bootstrapServers(), folder.resolve("state")));

      Path log = folder.resolve("enforcer.log");
      Process started =
          start(log, enforcer.resolve("bin/enforcer"), "--config", settings.toString());
      await("the enforcer to be ready")
          .atMost(READY_TIMEOUT)
          .failFast(log.toString(), () -> !started.isAlive())
          .until(() -> isReady(log));

      started.destroy();
      assertThat(started.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(log)).doesNotContain("ERROR", "WARNING: ");
    }
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
    Path archive;
    try (Stream<Path> files = Files.list(target)) {
      archive =
          files
              .filter(file -> file.getFileName().toString().matches(name + "[0-9.]+\\.tar\\.gz"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("mvn package makes " + target + "/" + name));
    }
    Path into = Files.createDirectories(folder.resolve(name));
    Process tar =
        new ProcessBuilder("tar", "xzf", archive.toString(), "-C", into.toString()).start();
    assertThat(tar.waitFor()).isZero();
    try (Stream<Path> roots = Files.list(into)) {
      return roots.findFirst().orElseThrow();
    }
  }

  private String output(Path program, String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = start(log, program, arguments);
    boolean ended = process.waitFor(COMMAND_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    String said = Files.readString(log);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private Process start(Path log, Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(folder.toFile());
    builder.environment().keySet().removeIf(variable -> variable.startsWith("QUOTA_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static boolean isReady(Path log) {
    try {
      String said = Files.readString(log);
      int from = said.indexOf("http://");
      if (from < 0) {
        return false;
      }
      URI ready = URI.create(said.substring(from, said.indexOf(' ', from)));
      HttpRequest question = HttpRequest.newBuilder(ready).timeout(Duration.ofSeconds(2)).build();
      return HttpClient.newHttpClient()
              .send(question, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false; // Not answered, or not in time: asked again until the time is up.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
