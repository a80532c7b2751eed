package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages of client, core and topology say which part of the protocol they carry out. */
class ProtocolPackagesTest {
  private static final String CLIENT = "admission-client/src/main/java/io/quotaenforcer/client";
  private static final String CORE = "quota-core/src/main/java/io/quotaenforcer/core";
  private static final String LEDGER = "quota-ledger/src/main/java/io/quotaenforcer/core";
  private static final String TOPOLOGY =
      "enforcer-app/src/main/java/io/quotaenforcer/enforcer/topology";
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
        Stream.of(docs(CLIENT), docs(CORE, LEDGER), docs(TOPOLOGY))
            .flatMap(List::stream)
            .filter(doc -> doc.contains("protocol.md"))
            .flatMap(doc -> QUOTED.matcher(doc).results())
            .map(quoted -> quoted.group(1))
            .toList();

    assertThat(named).hasSizeGreaterThan(20);
    assertThat(headings).containsAll(named);
  }

  @Test
  void sections_thatAnInstanceHasAPartIn_areNamedBySomePackage() throws IOException {
    assertNamed(
        docs(CLIENT),
        "A request is decided",
        "Usage is reported",
        "The answer comes back",
        "Without an answer",
        "Request events",
        "Queues of deferred requests");
  }

  @Test
  void packagesOfTheCoreAndTheTopology_allSpeakOfTheProtocol() throws IOException {
    assertThat(docs(CORE, LEDGER))
        .hasSizeGreaterThan(9)
        .allMatch(doc -> doc.contains("protocol.md"));
    assertThat(docs(TOPOLOGY)).hasSize(1).allMatch(doc -> doc.contains("protocol.md"));
  }

  @Test
  void sections_thatTheCoreCarriesOut_areNamedBySomePackage() throws IOException {
    assertNamed(
        docs(CORE, LEDGER),
        "A request is decided",
        "Usage is reported",
        "The ledger books and grants",
        "The answer comes back",
        "Committed headroom",
        "Shares",
        "Idle keys, rule changes, the end",
        "Without an answer",
        "Queues of deferred requests");
  }

  private static void assertNamed(List<String> docs, String... sections) {
    String all = String.join("\n", docs);

    assertThat(sections).allSatisfy(section -> assertThat(all).contains("\"" + section + "\""));
  }

  /** The text of each package's comment, on one line. */
  private static List<String> docs(String... folders) throws IOException {
    List<String> docs = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> files = Files.walk(MarkdownFile.ROOT.resolve(folder))) {
        files
            .filter(file -> file.endsWith("package-info.java"))
            .map(ProtocolPackagesTest::comment)
            .forEach(docs::add);
      }
    }
    return docs;
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
