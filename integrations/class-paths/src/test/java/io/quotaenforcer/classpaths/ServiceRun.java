package io.quotaenforcer.classpaths;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The service, run to its end in a small JVM with a class path of its own.
 *
 * @param output all that it printed, errors included
 */
record ServiceRun(int exitCode, String output) {
  private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();
  private static final Path LOGGING = Path.of("src/test/resources/service-logback.xml");

  static ServiceRun of(Row row, Path folder, String servers, Duration atMost)
      throws IOException, InterruptedException {
    Path output = Files.createDirectories(folder).resolve("output.txt");
    Process process =
        new ProcessBuilder(command(row, folder, servers))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "must end within %s: %s".formatted(atMost, Files.readString(output)));
      }
      return new ServiceRun(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static List<String> command(Row row, Path folder, String servers) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "-Dlogback.configurationFile=" + LOGGING.toUri(),
                "-cp",
                Stream.concat(Stream.of(CLASSES), row.jars().stream())
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator)),
                TinyService.class.getName(),
                servers,
                row.domain()));
    command.addAll(row.beside());
    return command;
  }

  /** The value that it printed behind a name. */
  String value(String name) {
    return output
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElse("");
  }
}
