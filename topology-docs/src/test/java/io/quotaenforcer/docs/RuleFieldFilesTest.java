package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How many files a field of a rule touches, by a scan of the main sources of every module but the
 * benchmarks. A file names a field that has its word of the rule language or of the schema in
 * quotes, or calls what gives or changes it. Of those, the files that carry it hand it from one
 * form to another; in the others it acts. Copies of old schemas are written by a test and do not
 * count.
 */
class RuleFieldFilesTest {
  /** A new field is carried by these, and by the record in the core that it is a part of. */
  private static final List<String> LISTS =
      List.of("QuotaRule.avsc", "Rule.java", "RuleFields.java", "RuleMapping.java");

  private static final int MOST = 8;

  /** By their words in the rule language, as code and schema name them. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("match", "match"),
          Map.entry("key", "key"),
          Map.entry("limit", "limit"),
          Map.entry("tolerance", "toleranceBasisPoints"),
          Map.entry("enforcement", "enforcement"),
          Map.entry("opening", "opening"),
          Map.entry("over-limit", "overLimit"),
          Map.entry("deferral", "deferral"),
          Map.entry("on-unavailable", "onUnavailable"),
          Map.entry("mode", "mode"),
          Map.entry("overrides", "overrides"));

  /**
   * Those whose words mean nothing else anywhere: answers and traces have an opening of their own.
   */
  private static final List<String> DISTINCT = List.of("tolerance", "over-limit", "on-unavailable");

  /** Without comments, by their paths. */
  private static final Map<String, String> SOURCES = new TreeMap<>();

  @BeforeAll
  static void readSources() throws IOException {
    SourceFiles.all().stream()
        .map(MarkdownFile.ROOT::relativize)
        .filter(file -> file.toString().matches("(?!benchmarks).*src/main/.*\\.(java|avsc)"))
        .filter(file -> !file.toString().contains("/history/"))
        .forEach(file -> SOURCES.put(file.toString(), read(file)));
    assertThat(SOURCES).hasSizeGreaterThan(300);
  }

  @Test
  void filesThatListTheFields_areTheRuleItsSchemaItsMappingAndOneTable() {
    assertThat(SOURCES.keySet())
        .filteredOn(file -> isList(file))
        .extracting(RuleFieldFilesTest::name)
        .containsExactlyInAnyOrderElementsOf(LISTS);
  }

  @Test
  void field_touchesFewFiles() {
    for (String field : DISTINCT) {
      List<String> named = SOURCES.keySet().stream().filter(file -> names(file, field)).toList();
      List<String> carry = named.stream().filter(file -> carries(file, field)).toList();
      List<String> acts = named.stream().filter(file -> !carry.contains(file)).toList();
      System.out.printf(
          "%s: carried by %d files %s, acts in %d %s%n",
          field, carry.size(), names(carry), acts.size(), names(acts));
      assertThat(names(carry)).as(field).containsAll(LISTS).hasSizeLessThan(MOST - 1);
    }
  }

  /** The fields that act in few places touch few files in all. */
  @Test
  void fieldThatActsInFewPlaces_touchesAtMostEightFiles() {
    assertThat(SOURCES.keySet()).filteredOn(file -> names(file, "tolerance")).hasSizeLessThan(MOST);
  }

  private static boolean isList(String file) {
    return FIELDS.keySet().stream().filter(field -> names(file, field)).count() > FIELDS.size() / 2;
  }

  private static boolean carries(String file, String field) {
    String code = FIELDS.getOrDefault(field, field);
    return isList(file)
        || SOURCES.getOrDefault(file, "").matches("(?s).*\"(" + field + "|" + code + ")\".*")
        || (file.contains("/core/rule/") && isComponent(file, code));
  }

  private static boolean isComponent(String file, String code) {
    return Pattern.compile("record \\w+\\([^)]*\\w " + code + "[,)]")
        .matcher(SOURCES.getOrDefault(file, ""))
        .find();
  }

  private static boolean names(String file, String field) {
    String code = FIELDS.getOrDefault(field, field);
    String capital = Character.toUpperCase(code.charAt(0)) + code.substring(1);
    return Pattern.compile(
                "\"%1$s\"|\"%2$s\"|\\b%2$s\\(\\)|::%2$s\\b|\\b(get|set|with)%3$s\\("
                    .formatted(field, code, capital))
            .matcher(SOURCES.getOrDefault(file, ""))
            .find()
        || (file.contains("/core/rule/") && isComponent(file, code));
  }

  private static List<String> names(List<String> files) {
    return files.stream().map(RuleFieldFilesTest::name).toList();
  }

  private static String name(String file) {
    return Path.of(file).getFileName().toString();
  }

  private static String read(Path file) {
    try {
      return Files.readString(MarkdownFile.ROOT.resolve(file))
          .replaceAll("(?s)/\\*.*?\\*/", "")
          .replaceAll("(?m)//.*$", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
