package io.quotaenforcer.bench.start;

import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.text.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Bytes of jars.
 *
 * @param client the admission client's own
 * @param dependencies what a service gets with it, by group and artifact, the largest first
 * @param enforcer the enforcer's own
 * @param enforcerLibraries what it runs with
 */
record Sizes(
    long client, Map<String, Long> dependencies, long enforcer, List<Long> enforcerLibraries) {
  private static final double BYTES_PER_KB = 1_000;

  /** Of what was built. */
  static Sizes of(SourceTree tree) throws IOException {
    return new Sizes(
        Files.size(tree.jar("admission-client")),
        dependencies(tree.root().resolve("admission-client/target/runtime-dependencies.txt")),
        Files.size(tree.jar("enforcer-app")),
        sizes(tree.root().resolve("enforcer-app/target/lib")));
  }

  double clientKb() {
    return client / BYTES_PER_KB;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    TextTable table = TextTable.ofFigures("jar", "KB");
    table.row("admission client itself", kb(client));
    dependencies.forEach((name, bytes) -> table.row("  needs " + name, kb(bytes)));
    table.row("  with all that it needs", kb(client + sum(dependencies.values())));
    table.row("enforcer itself", kb(enforcer));
    table.row(
        "  with the %d that it needs".formatted(enforcerLibraries.size()),
        kb(enforcer + sum(enforcerLibraries)));
    lines.addAll(table.lines());
    return lines;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("clientBytes", client);
    json.put("clientDependencyBytes", dependencies);
    json.put("enforcerBytes", enforcer);
    json.put("enforcerLibraries", enforcerLibraries.size());
    json.put("enforcerLibraryBytes", sum(enforcerLibraries));
    return json;
  }

  /**
   * Sizes of artifacts.
   *
   * @param list as Maven writes it: {@code group:artifact:jar:version:scope:file}, and more
   */
  static Map<String, Long> dependencies(Path list) throws IOException {
    record Artifact(String name, long bytes) {}
    List<Artifact> all = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      String[] parts = line.strip().split(" -- module ", 2)[0].split(":", 6);
      if (parts.length == 6) {
        all.add(new Artifact(parts[0] + ":" + parts[1], bytes(Path.of(parts[5].strip()))));
      }
    }
    all.sort(Comparator.comparingLong(Artifact::bytes).reversed());
    Map<String, Long> bytes = new LinkedHashMap<>();
    all.forEach(artifact -> bytes.put(artifact.name(), artifact.bytes()));
    return bytes;
  }

  private static long bytes(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      throw new CommandException(
          ExitCode.FAILED, "must be a jar: " + jar + "; run ./quota version");
    }
    return Files.size(jar);
  }

  private static List<Long> sizes(Path folder) throws IOException {
    List<Long> bytes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        bytes.add(Files.size(file));
      }
    }
    return bytes;
  }

  private static long sum(Iterable<Long> all) {
    long sum = 0;
    for (long each : all) {
      sum += each;
    }
    return sum;
  }

  private static String kb(long bytes) {
    return String.format(Locale.ROOT, "%,.0f", bytes / BYTES_PER_KB);
  }
}
