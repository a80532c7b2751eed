package io.quotaenforcer.lab.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes as JVMs of one class path have them once loaded: whoever is started with them works a
 * third less until it is there. None are kept unless the property {@code class.archives} names a
 * folder for them. For the first JVM they are collected beside it, while a demo runs, and it does
 * not wait for them. Class paths that hold all jars of the demo share what was collected.
 */
final class ClassArchive {
  private static final String FOLDER = "class.archives";
  private static final String DEMO = "io.quotaenforcer.lab.command.Main";

  /** Jars without which no demo runs. */
  private static final List<String> NEEDED = List.of("quota-lab-", "quota-broker-", "kafka_");

  /** Of the demo, beside its jar once that is built. */
  private static final String CLASS_PATH = "class-path.txt";

  /** This process may have ended before the demo does. */
  private static final String KEEP = "new=$1; to=$2; shift 2; \"$@\"; mv \"$new\" \"$to\"";

  /** Longer than a build takes. */
  private static final Duration KEPT = Duration.ofHours(3);

  private ClassArchive() {}

  /**
   * How a JVM is started.
   *
   * @param flags that go before those of its own
   */
  record Start(String classPath, List<String> flags) {}

  /** Runs what collects classes, and does not wait for it. */
  interface Collector {
    void run(List<String> command) throws IOException;
  }

  /** The same with the folder of this process, if it has one. */
  static Start of(String classPath) throws IOException {
    return of(
        Optional.ofNullable(System.getProperty(FOLDER)).map(Path::of),
        classPath,
        ClassArchive::beside);
  }

  /**
   * Start of a JVM of this class path, with its classes if they are there. Its jars come before its
   * folders then: classes are kept of a class path that begins with those that they came from, and
   * of no folder.
   */
  static Start of(Optional<Path> folder, String classPath, Collector collector) throws IOException {
    Map<Boolean, List<String>> entries =
        Stream.of(classPath.split(":"))
            .collect(Collectors.partitioningBy(entry -> entry.endsWith(".jar")));
    List<String> jars = entries.getOrDefault(true, List.of());
    if (folder.isEmpty() || !NEEDED.stream().allMatch(name -> isAmong(jars, name))) {
      return new Start(classPath, List.of());
    }
    List<String> shared = ofDemo(jars).orElse(jars);
    Set<String> ordered = new LinkedHashSet<>(shared);
    ordered.addAll(jars);
    ordered.addAll(entries.getOrDefault(false, List.of()));
    return new Start(String.join(":", ordered), flags(folder.get(), shared, collector));
  }

  /** The jars of the demo, in its order; empty if that is not known, or some are others here. */
  private static Optional<List<String>> ofDemo(List<String> jars) throws IOException {
    Map<String, String> byName = new HashMap<>();
    jars.forEach(jar -> byName.putIfAbsent(fileName(jar), jar));
    for (String jar : jars) {
      Path list = Path.of(jar).resolveSibling(CLASS_PATH);
      if (fileName(jar).startsWith(NEEDED.get(0)) && Files.exists(list)) {
        List<String> names = new ArrayList<>(List.of(fileName(jar)));
        Stream.of(Files.readString(list).strip().split(":"))
            .map(ClassArchive::fileName)
            .forEach(names::add);
        return names.stream().allMatch(byName::containsKey)
            ? Optional.of(names.stream().map(byName::get).toList())
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static String fileName(String jar) {
    return jar.substring(jar.lastIndexOf('/') + 1);
  }

  private static List<String> flags(Path folder, List<String> jars, Collector collector)
      throws IOException {
    Path archive = Files.createDirectories(folder).resolve(name(jars) + ".jsa");
    if (Files.exists(archive)) {
      return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }
    if (isFirst(archive)) {
      removeOld(folder);
      collector.run(demo(jars, archive));
    }
    return List.of();
  }

  private static boolean isAmong(List<String> jars, String name) {
    return jars.stream().anyMatch(jar -> fileName(jar).startsWith(name));
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

  /** Those of earlier builds: each is of some 70 MB. */
  private static void removeOld(Path folder) throws IOException {
    Instant old = Instant.now().minus(KEPT);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static List<String> demo(List<String> jars, Path archive) {
    Path unfinished = archive.resolveSibling(archive.getFileName() + ".new");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-XX:ArchiveClassesAtExit=" + unfinished);
    command.add("-Djava.io.tmpdir=" + archive.getParent());
    command.addAll(List.of("-cp", String.join(":", jars), DEMO, "demo", "--seconds=1"));
    List<String> whole = new ArrayList<>(List.of("sh", "-c", KEEP, "sh"));
    whole.addAll(List.of(unfinished.toString(), archive.toString()));
    whole.addAll(command);
    return whole;
  }

  private static void beside(List<String> command) throws IOException {
    new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
