package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the committed pages with the code, or writes them, see {@link Pages#COMMAND}. */
class PagesTest {
  static List<Page> pages() {
    return Pages.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_isAsTheCode(Page page) throws IOException {
    Path file = Path.of(page.file());
    if (System.getProperty("docs.write") != null) {
      Files.writeString(file, page.text());
      return;
    }
    assertThat(file)
        .as("topology-docs/%s differs from the code; run: %s", page.file(), Pages.COMMAND)
        .hasContent(page.text());
  }
}
