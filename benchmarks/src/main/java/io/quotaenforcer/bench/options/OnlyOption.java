package io.quotaenforcer.bench.options;

import picocli.CommandLine.Option;

/** Which scenarios of a benchmark are run. */
public final class OnlyOption {
  @Option(
      names = "--only",
      defaultValue = "",
      paramLabel = "TEXT",
      description = "Only scenarios whose name holds this.")
  private String text = "";

  public boolean wants(String scenario) {
    return scenario.contains(text);
  }
}
