package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.http.DeferredPaths;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for the number of rows shown. */
final class LimitOption {
  private static final int MOST = 10_000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many to show, at most 10000. Default: 100.")
  private int limit = DeferredPaths.DEFAULT_LIMIT;

  int get(CommandSpec spec) {
    return checked(spec, limit, MOST);
  }

  static int checked(CommandSpec spec, int limit, int most) {
    if (limit < 1 || limit > most) {
      throw new ParameterException(
          spec.commandLine(), "must be from 1 to " + most + ": --limit=" + limit);
    }
    return limit;
  }
}
