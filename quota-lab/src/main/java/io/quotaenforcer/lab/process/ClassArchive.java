package io.quotaenforcer.lab.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes as JVMs of one class path have them once loaded: whoever is started with them works a
 * third less until it is there. None are kept unless the property {@code class.archives} names a
 * folder for them. For the first JVM of a class path they are collected beside it, while a demo
 * runs, and it does not wait for them.
 */
final class ClassArchive {
  private static final String FOLDER = "class.archives";
  private static final String DEMO = "io.quotaenforcer.lab.command.Main";

  /** Jars without which no demo runs. */
  private static final List<String> NEEDED = List.of("quota-lab-", "quota-broker-", "kafka_");

  private ClassArchive() {}

  /**
   * How a JVM is started.
   *
   * @param flags that go before those of its own
   */
  record Start(String classPath, List<String> flags) {}

  /** Where this process keeps classes, if anywhere. */
  static Optional<Path> folder() {
    return Optional.ofNullable(System.getProperty(FOLDER)).map(Path::of);
  }

  /**
   * Start of a JVM of this class path, with its classes if they are there. Its jars come before its
   * folders then: classes are kept of a class path that begins with those that they came from, and
   * of no folder.
   */
  static Start of(Optional<Path> folder, String classPath) throws IOException {
    Map<Boolean, List<String>> entries =
        Stream.of(classPath.split(":"))
            .collect(Collectors.partitioningBy(entry -> entry.endsWith(".jar")));
    List<String> jars = entries.getOrDefault(true, List.of());
    if (folder.isEmpty() || !NEEDED.stream().allMatch(name -> isAmong(jars, name))) {
      return new Start(classPath, List.of());
    }
    List<String> ordered = new ArrayList<>(jars);
    ordered.addAll(entries.getOrDefault(false, List.of()));
    return new Start(String.join(":", ordered), flags(folder.get(), jars));
  }

  private static List<String> flags(Path folder, List<String> jars) throws IOException {
    Path archive = Files.createDirectories(folder).resolve(name(jars) + ".jsa");
    if (Files.exists(archive)) {
      return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }
    if (isFirst(archive)) {
      collect(jars, archive);
    }
    return List.of();
  }

  private static boolean isAmong(List<String> jars, String name) {
    return jars.stream().anyMatch(jar -> jar.substring(jar.lastIndexOf('/') + 1).startsWith(name));
  }

  /** A jar that was built anew is another one. */
  private static String name(List<String> jars) throws IOException {
    StringBuilder all = new StringBuilder(Runtime.version().toString());
    for (String jar : jars) {
      all.append(jar).append(Files.getLastModifiedTime(Path.of(jar)));
    }
    return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static boolean isFirst(Path archive) throws IOException {
    try {
      Files.createFile(archive.resolveSibling(archive.getFileName() + ".begun"));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private static void collect(List<String> jars, Path archive) throws IOException {
    Path unfinished = archive.resolveSibling(archive.getFileName() + ".new");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-XX:ArchiveClassesAtExit=" + unfinished);
    command.add("-Djava.io.tmpdir=" + archive.getParent());
    command.addAll(List.of("-cp", String.join(":", jars), DEMO, "demo", "--seconds=1"));
    new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .thenRun(() -> keep(unfinished, archive));
  }

  private static void keep(Path unfinished, Path archive) {
    try {
      if (Files.exists(unfinished)) {
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
