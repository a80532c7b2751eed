package io.quotaenforcer.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
  @TempDir Path folder;

  private final List<List<String>> collected = new ArrayList<>();

  /** Jars by names only. */
  private String classPath(String... names) throws IOException {
    StringBuilder classPath = new StringBuilder("classes");
    for (String name : names) {
      Path jar = folder.resolve(name);
      if (!Files.exists(jar)) {
        Files.createFile(jar);
      }
      classPath.append(':').append(jar);
    }
    return classPath.toString();
  }

  private List<String> archives() throws IOException {
    Path archives = folder.resolve("archives");
    if (!Files.exists(archives)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(archives)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private ClassArchive.Start start(String classPath) throws IOException {
    return ClassArchive.of(Optional.of(folder.resolve("archives")), classPath, collected::add);
  }

  @Test
  void start_jarsAndFolders_hasJarsFirst_inTheirOrder() throws IOException {
    String all = classPath("quota-lab-1.jar", "quota-broker-1.jar", "kafka_2.13-4.jar");

    assertThat(start(all + ":more").classPath())
        .isEqualTo(all.replaceFirst("^classes:", "") + ":classes:more");
  }

  @Test
  void start_withoutAFolder_isAsBefore() throws IOException {
    String all = classPath("quota-lab-1.jar", "quota-broker-1.jar", "kafka_2.13-4.jar");

    assertThat(ClassArchive.of(Optional.empty(), all, collected::add))
        .isEqualTo(new ClassArchive.Start(all, List.of()));
  }

  @Test
  void start_ofAClassPathThatRunsNoDemo_isAsBefore_andNothingIsCollected() throws IOException {
    String some = classPath("quota-lab-1.jar", "kafka-clients-4.jar");

    assertThat(start(some)).isEqualTo(new ClassArchive.Start(some, List.of()));
    assertThat(archives()).isEmpty();
    assertThat(collected).isEmpty();
  }

  @Test
  void start_ofJarsBesideThoseOfTheDemo_hasThoseFirst_andSharesTheirArchive() throws IOException {
    Files.writeString(folder.resolve("class-path.txt"), "a/quota-broker-1.jar:b/kafka_2.13-4.jar");
    String demo = classPath("quota-lab-1.jar", "quota-broker-1.jar", "kafka_2.13-4.jar");
    String more =
        classPath("more.jar", "kafka_2.13-4.jar", "quota-broker-1.jar", "quota-lab-1.jar");

    start(demo);
    assertThat(start(more).classPath())
        .isEqualTo(
            demo.replaceFirst("^classes:", "") + classPath("more.jar").substring(7) + ":classes");
    assertThat(collected).as("once for both").hasSize(1);
    start(classPath("kafka_2.13-5.jar", "quota-broker-1.jar", "quota-lab-1.jar"));
    assertThat(collected).as("another version").hasSize(2);
  }

  @Test
  void start_onceAnArchiveIsThere_namesIt_andOnlyForTheSameJars() throws IOException {
    String all = classPath("quota-lab-1.jar", "quota-broker-1.jar", "kafka_2.13-4.jar");
    Path old =
        Files.createFile(Files.createDirectory(folder.resolve("archives")).resolve("old.jsa"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    assertThat(start(all).flags()).isEmpty();
    assertThat(start(all).flags()).isEmpty();
    assertThat(collected).as("once").hasSize(1);
    assertThat(archives()).as("old ones go").hasSize(1).allMatch(it -> it.endsWith(".jsa.begun"));

    String name = archives().get(0).replace(".begun", "");
    Path archive = Files.createFile(folder.resolve("archives").resolve(name));

    assertThat(collected.get(0)).contains(archive.toString(), "demo");
    assertThat(start(all).flags()).contains("-XX:SharedArchiveFile=" + archive);
    assertThat(start(classPath("more.jar") + all.substring("classes".length())).flags()).isEmpty();
  }
}
