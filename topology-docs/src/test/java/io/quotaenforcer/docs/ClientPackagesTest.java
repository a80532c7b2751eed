package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages of the client say which part of the protocol they carry out. */
class ClientPackagesTest {
  private static final Path CLIENT =
      MarkdownFile.ROOT.resolve("admission-client/src/main/java/io/quotaenforcer/client");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (?:\\d+\\. )?(.+)$");

  private final List<String> headings =
      HEADING
          .matcher(MarkdownFile.read("topology-docs/protocol.md").text())
          .results()
          .map(heading -> heading.group(1))
          .toList();

  @Test
  void sections_thatPackagesName_areThoseOfTheProtocol() throws IOException {
    List<String> named =
        docs().stream()
            .filter(doc -> doc.contains("protocol.md"))
            .flatMap(doc -> QUOTED.matcher(doc).results())
            .map(quoted -> quoted.group(1))
            .toList();

    assertThat(named).hasSizeGreaterThan(5);
    assertThat(headings).containsAll(named);
  }

  @Test
  void sections_thatAnInstanceHasAPartIn_areNamedBySomePackage() throws IOException {
    String all = String.join("\n", docs());

    assertThat(
            List.of(
                "A request is decided",
                "Usage is reported",
                "The answer comes back",
                "Without an answer",
                "Request events",
                "Queues of deferred requests"))
        .allSatisfy(section -> assertThat(all).contains("\"" + section + "\""));
  }

  /** The text of each package's comment, on one line. */
  private static List<String> docs() throws IOException {
    try (Stream<Path> files = Files.walk(CLIENT)) {
      return files
          .filter(file -> file.endsWith("package-info.java"))
          .map(ClientPackagesTest::comment)
          .toList();
    }
  }

  private static String comment(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.indexOf("*/")).replaceAll("\\s*\\n \\*? ?", " ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
