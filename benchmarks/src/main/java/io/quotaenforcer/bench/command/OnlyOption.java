package io.quotaenforcer.bench.command;

import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which scenarios of a benchmark are run. */
public final class OnlyOption {
  @Option(
      names = "--only",
      defaultValue = "",
      paramLabel = "PATTERN",
      description = "Only scenarios in whose name this regular expression is found.")
  private Pattern pattern = Pattern.compile("");

  public boolean wants(String scenario) {
    return pattern.matcher(scenario).find();
  }
}
