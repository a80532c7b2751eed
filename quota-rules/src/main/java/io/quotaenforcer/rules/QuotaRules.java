package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rules from YAML text, as {@code quota rules apply} reads them: for services that decide alone,
 * and for tests. Pure functions, for any thread.
 */
public final class QuotaRules {
  private QuotaRules() {}

  /**
   * The rules of a rule file.
   *
   * @param yaml the text of a rule file, with {@code domain} and {@code rules}
   * @return in the order of the file, unpublished
   * @throws IllegalArgumentException naming each problem with its line
   */
  public static List<Rule> parse(String yaml) {
    return parse("rules", yaml);
  }

  /**
   * The rules of a file on disk, in UTF-8.
   *
   * @return in the order of the file, unpublished
   * @throws IllegalArgumentException naming each problem with its line
   * @throws IOException if the file cannot be read
   */
  public static List<Rule> read(Path file) throws IOException {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("must be UTF-8: file=" + file, e);
    }
  }

  private static List<Rule> parse(String name, String yaml) {
    RuleFile file = RuleFile.parse(name, yaml);
    if (file instanceof RuleFile.Invalid invalid) {
      throw new IllegalArgumentException(
          invalid.problems().stream().map(RuleProblem::toString).collect(Collectors.joining("\n")));
    }
    return ((RuleFile.Valid) file).rules();
  }
}
