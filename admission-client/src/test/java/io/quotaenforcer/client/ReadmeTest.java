package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A service gets what the page of the module says that it gets. */
class ReadmeTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.-]+:[\\w.-]+)` \\| .*\\S.* \\|$");
  private static final Pattern RESOLVED =
      Pattern.compile("(?m)^ +([\\w.-]+:[\\w.-]+):jar:[^:]+:(compile|runtime):");

  @Test
  void artifacts_areThoseThatTheBuildResolves() throws IOException {
    // Written by the build: see the module's pom.xml.
    List<String> resolved = groups(RESOLVED, "target/runtime-dependencies.txt");

    assertThat(resolved).hasSizeGreaterThan(5);
    assertThat(groups(ROW, "README.md")).containsExactlyInAnyOrderElementsOf(resolved);
  }

  @Test
  void packages_areThoseOfTheModule() throws IOException {
    Path root = Path.of("src/main/java");
    List<String> packages;
    try (Stream<Path> files = Files.walk(root)) {
      packages =
          files
              .filter(file -> file.endsWith("package-info.java"))
              .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
              .toList();
    }

    assertThat(groups(Pattern.compile("(?m)^\\| `(io\\.[\\w.]+)` \\|"), "README.md"))
        .containsExactlyInAnyOrderElementsOf(packages);
  }

  private static List<String> groups(Pattern pattern, String file) throws IOException {
    return pattern
        .matcher(Files.readString(Path.of(file)))
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
