package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jars that this build has made: licence, name of the module, and nothing that differs each time.
 */
class JarsIT {
  static List<Pom> made() {
    return Pom.published().stream().filter(pom -> Files.exists(pom.jar())).toList();
  }

  @Test
  void jars_thatThisModuleNeeds_areAmongThem() {
    assertThat(made())
        .extracting(Pom::artifact)
        .contains("quota-core", "quota-admission-client", "enforcer-app", "quota-gateway")
        .contains("quota-registry-client", "quota-lab");
  }

  @ParameterizedTest
  @MethodSource("made")
  void jar_saysWhoseItIs_andWhatItsModuleIs(Pom pom) throws IOException {
    try (JarFile jar = new JarFile(pom.jar().toFile())) {
      assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
      assertThat(jar.getEntry("META-INF/NOTICE")).isNotNull();
    }
    String name = pom.text("properties", "module.name").orElseThrow();
    assertThat(ModuleFinder.of(pom.jar()).find(name))
        .map(module -> module.descriptor().isAutomatic())
        .contains(true);
  }

  /** On a module path a package may be in one module only. */
  @Test
  void packages_areInOneJarEach() {
    Map<String, String> owners = new HashMap<>();
    for (Pom pom : made()) {
      ModuleDescriptor module = ModuleFinder.of(pom.jar()).findAll().iterator().next().descriptor();
      for (String name : module.packages()) {
        assertThat(owners.put(name, pom.artifact())).as(name).isNull();
      }
    }
    assertThat(owners).hasSizeGreaterThan(40);
  }

  /**
   * Or of an older artifact that they were taken from. {@code .ci/reproducible} builds a jar twice,
   * and compares the bytes.
   */
  @ParameterizedTest
  @MethodSource("made")
  void entries_haveTheTimeOfTheRelease_notOfTheBuild(Pom pom) throws IOException {
    Instant time =
        Instant.parse(
            Pom.ofBuild().text("properties", "project.build.outputTimestamp").orElseThrow());
    LocalDateTime expected = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    try (JarFile jar = new JarFile(pom.jar().toFile())) {
      assertThat(jar.stream().map(JarEntry::getTimeLocal))
          .isNotEmpty()
          .noneMatch(entry -> entry.isAfter(expected))
          .contains(expected);
    }
  }
}
