package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README's service is the one that is tested. */
class ReadmeTest {
  private static final Path README = Path.of("../spring-boot-starter/README.md");
  private static final Path SAMPLE = Path.of("../samples/spring/src/main");

  @Test
  void sample_isTheServiceOfTheTests() throws IOException {
    assertThat(Files.readString(README))
        .contains(
            "```java\n" + read("java/io/quotaenforcer/samples/spring/ShopApplication.java") + "```")
        .contains("```yaml\n" + read("resources/application.yaml") + "```");
  }

  private static String read(String path) throws IOException {
    return Files.readString(SAMPLE.resolve(path));
  }
}
