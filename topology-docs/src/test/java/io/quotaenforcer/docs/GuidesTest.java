package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.gateway.mapping.MappingFile;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Statements of pages about commands, files and messages are true. */
class GuidesTest {
  private static final int LEAST_MESSAGE_CHARS = 8;

  @TempDir Path folder;

  static List<MarkdownFile> pages() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(""))) {
      Stream<String> guides =
          files
              .map(Path::toString)
              .filter(file -> file.endsWith(".md"))
              .map(file -> "topology-docs/" + file);
      return Stream.concat(
              Stream.of(
                  "README.md",
                  "ARCHITECTURE.md",
                  "CHANGELOG.md",
                  "CONTRIBUTING.md",
                  "SECURITY.md",
                  "admission-client/README.md",
                  "integrations/samples/README.md"),
              guides.sorted())
          .map(MarkdownFile::read)
          .toList();
    }
  }

  /** Also those whose commands are of benches. */
  static List<MarkdownFile> pagesWithLinks() throws IOException {
    return Stream.concat(
            pages().stream(),
            Stream.of(
                    "benchmarks/README.md",
                    "integrations/README.md",
                    "integrations/node/README.md",
                    "integrations/proxies/README.md",
                    "integrations/python/README.md",
                    "integrations/samples/servlet/README.md",
                    "integrations/samples/spring/README.md",
                    "integrations/samples/grpc/README.md",
                    "integrations/samples/mail/README.md")
                .map(MarkdownFile::read))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pagesWithLinks")
  void links_leadSomewhere(MarkdownFile page) {
    assertThat(page.links())
        .filteredOn(link -> !link.startsWith("https://"))
        .allSatisfy(link -> assertLeadsSomewhere(page, link));
  }

  private static void assertLeadsSomewhere(MarkdownFile page, String link) {
    String[] fileAndAnchor = link.split("#", 2);
    Path file =
        fileAndAnchor[0].isEmpty()
            ? page.path()
            : page.path().resolveSibling(fileAndAnchor[0]).normalize();
    assertThat(file).exists();
    if (fileAndAnchor.length > 1) {
      assertThat(MarkdownFile.read(MarkdownFile.ROOT.relativize(file).toString()).anchors())
          .contains(fileAndAnchor[1]);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commands_areUnderstood(MarkdownFile page) {
    for (List<String> command : page.quotaCommands()) {
      Programs.assertUnderstood(command);
      assertThat(command)
          .filteredOn(word -> word.matches("(topology-docs|integrations)/.*"))
          .allSatisfy(file -> assertThat(MarkdownFile.ROOT.resolve(file)).exists());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void ruleFiles_areValid(MarkdownFile page) throws IOException {
    for (String yaml : page.blocks("yaml")) {
      if (yaml.contains("\nattributes:")) {
        assertThat(MappingFile.parse(page.toString(), yaml)).isInstanceOf(MappingFile.Valid.class);
      } else if (!isEnvoys(yaml)) {
        run("rules", "validate", file(yaml));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void envoysConfiguration_isImportedAsTheRulesBelowIt(MarkdownFile page) throws IOException {
    List<String> blocks = page.blocks("yaml");
    for (int i = 0; i < blocks.size(); i++) {
      if (isEnvoys(blocks.get(i))) {
        assertThat(run("rules", "import-envoy", file(blocks.get(i)))).isEqualTo(blocks.get(i + 1));
      }
    }
  }

  private static boolean isEnvoys(String yaml) {
    return yaml.contains("\ndescriptors:");
  }

  private String file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("rules.yaml"), yaml).toString();
  }

  /** Output of a command that ends well. */
  private static String run(String... command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Quota.create(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Map.of(),
                LabCommands::create)
            .execute(command);
    assertThat(exitCode).as(err.toString()).isZero();
    return out.toString();
  }

  /** Names in sentences: commands, and their options. */
  @ParameterizedTest
  @MethodSource("pages")
  void commandsInSentences_areKnown(MarkdownFile page) {
    assertThat(page.spans())
        .filteredOn(span -> span.matches("(\\./)?quota [a-z].*"))
        .allSatisfy(span -> assertKnown(MarkdownFile.words(span)));
  }

  private static void assertKnown(List<String> words) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine command = Quota.create(nowhere, nowhere, Map.of(), LabCommands::create);
    for (String word : words.subList(1, words.size())) {
      if (word.startsWith("--")) {
        assertThat(command.getCommandSpec().optionsMap()).containsKey(word.split("=")[0]);
      } else if (!command.getSubcommands().isEmpty()) {
        assertThat(command.getSubcommands()).containsKey(word);
        command = command.getSubcommands().get(word);
      }
      if (word.equals("bench")) {
        return; // its own commands are those of the module benchmarks
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void settings_areAccepted(MarkdownFile page) throws IOException {
    for (String block : page.blocks("properties")) {
      Properties properties = new Properties();
      properties.load(new StringReader(block));
      Map<String, Object> values = new HashMap<>();
      properties.forEach((key, value) -> values.put((String) key, value));

      assertThatCode(() -> EnforcerConfig.of(values)).doesNotThrowAnyException();
    }
  }

  @Test
  void messages_areInTheCode() throws IOException {
    MarkdownFile page = MarkdownFile.read("topology-docs/running.md");
    String sources =
        stringsOf(
            "enforcer-app",
            "quota-server",
            "schemas",
            "admission-client",
            "quota-core",
            "quota-ledger");
    List<String> messages =
        Pattern.compile("(?m)^\\| `([^`]+)` \\|")
            .matcher(page.text().substring(page.text().indexOf("## Dead letters")))
            .results()
            .map(message -> message.group(1))
            .toList();

    assertThat(messages).hasSizeGreaterThan(20);
    for (String message : messages) {
      for (String part : message.split("…", -1)) {
        String words = part.replaceFirst("^[\\s:,]+", "").strip();
        if (words.length() >= LEAST_MESSAGE_CHARS) {
          assertThat(sources.contains(words)).as("%s: %s", message, words).isTrue();
        }
      }
    }
  }

  /** The sources of modules with their texts joined where they are broken over lines. */
  private static String stringsOf(String... modules) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String module : modules) {
      try (Stream<Path> files =
          Files.walk(MarkdownFile.ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          all.append(Files.readString(file));
        }
      }
    }
    return all.toString()
        .replaceAll("\"\\s*\\+\\s*\"", "")
        .replaceAll("%[sd]", "…")
        .replaceAll("\"\\s*\\+[^\"]{1,80}\\+\\s*\"", "…");
  }
}
