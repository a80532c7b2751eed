package io.quotaenforcer.bench;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A {@code quota bench} command that was run in this process, and what it said. */
public record BenchRun(int exitCode, String out, String err) {

  public static BenchRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 1];
    all[0] = "bench";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    int exitCode =
        Quota.create(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Map.of(),
                options -> LabCommands.create(options, BenchCommand.create()))
            .execute(all);
    return new BenchRun(exitCode, out.toString(), err.toString());
  }
}
