package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that were unpacked into a folder, run with the Java of the test and nothing of its. */
final class Installed implements AutoCloseable {
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(3);

  private final Path folder;
  private final Map<String, String> environment;
  private final List<Process> processes = new ArrayList<>();

  /**
   * @param folder where the programs start
   * @param environment of theirs beside JAVA_HOME, and more time for Kafka's answers
   */
  Installed(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
  }

  /** The one file of a folder whose name matches; {@code mvn package} makes it. */
  static Path made(Path target, String name) throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().matches(name))
          .findFirst()
          .orElseThrow(() -> new AssertionError("mvn package makes " + target + "/" + name));
    }
  }

  /** Runs a program to its good end, and returns what it said. */
  String output(Path program, String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = start(log, program, arguments);
    boolean ended = process.waitFor(COMMAND_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    String said = Files.readString(log);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  Process start(Path log, Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(folder.toFile());
    builder.environment().clear();
    // A busy machine's brokers take longer to answer than a user would wait.
    builder.environment().put("QUOTA_CONNECT_TIMEOUT", "40s");
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  /** Waits until the address that a program names in its log answers that it is ready. */
  void awaitReady(Path log, Process program) {
    await("to be ready, see " + log)
        .atMost(READY_TIMEOUT)
        .failFast(() -> assertThat(program.isAlive()).as(Files.readString(log)).isTrue())
        .until(() -> isReady(log));
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

  @Override
  public void close() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }
}
