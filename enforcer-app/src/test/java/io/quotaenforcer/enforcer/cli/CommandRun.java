package io.quotaenforcer.enforcer.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A {@code quota} command that was run as a function. */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Quota.create(new PrintWriter(out), new PrintWriter(err), Map.of()).execute(arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
