package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README's service is the one that is tested. */
class ReadmeTest {
  private static final Path MODULE = Path.of("../spring-boot-starter");

  @Test
  void sample_isTheServiceOfTheTests() throws IOException {
    String readme = read("README.md");
    assertThat(readme)
        .contains(
            "```java\n"
                + read("src/test/java/io/quotaenforcer/spring/shop/ShopApplication.java")
                + "```")
        .contains("```yaml\n" + read("src/test/resources/shop/application.yaml") + "```");
  }

  private static String read(String path) throws IOException {
    return Files.readString(MODULE.resolve(path));
  }
}
