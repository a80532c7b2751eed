package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;

/** A command line that was run in this process, and what it said. */
public record QuotaRun(int exitCode, String out, String err, Duration took) {

  /** Runs one of the commands of this module, without any environment variable. */
  public static QuotaRun of(String... arguments) {
    return of(MoreCommands.NONE, arguments);
  }

  /** Like {@link #of(String...)}, with more commands. */
  public static QuotaRun of(MoreCommands more, String... arguments) {
    return of(Map.of(), more, arguments);
  }

  private static QuotaRun of(
      Map<String, String> environment, MoreCommands more, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    long start = System.nanoTime();
    int exitCode =
        Quota.create(new PrintWriter(out, true), new PrintWriter(err, true), environment, more)
            .execute(arguments);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    return new QuotaRun(exitCode, out.toString(), err.toString(), took);
  }

  /** Runs one that must end well, on a busy machine too. */
  public static QuotaRun done(String... arguments) {
    QuotaRun run = of(Map.of("QUOTA_CONNECT_TIMEOUT", "40s"), MoreCommands.NONE, arguments);
    if (run.exitCode != ExitCode.DONE) {
      throw new AssertionError("must end with 0: " + run);
    }
    return run;
  }
}
