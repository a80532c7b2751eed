package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Java of a page and the tagged regions of the class that it is taken from. */
final class Snippets {
  private static final Path FOLDER = Path.of("src/test/java/io/quotaenforcer/docs");

  private Snippets() {}

  /** The regions are the Java blocks of the page, in that order. */
  static void check(MarkdownFile page, String source, String... regions) {
    List<String> blocks = page.blocks("java").stream().map(Snippets::normalised).toList();
    List<String> code = Stream.of(regions).map(name -> region(source, name)).toList();
    assertThat(blocks).containsExactlyElementsOf(code);
  }

  private static String region(String source, String name) {
    try {
      Matcher region =
          Pattern.compile("(?s)// tag::%s\\[]\n(.*?)// end::%s\\[]".formatted(name, name))
              .matcher(Files.readString(FOLDER.resolve(source)));
      assertThat(region.find()).as("region %s of %s", name, source).isTrue();
      return normalised(region.group(1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String normalised(String code) {
    return code.replaceAll("\\s+", "");
  }
}
