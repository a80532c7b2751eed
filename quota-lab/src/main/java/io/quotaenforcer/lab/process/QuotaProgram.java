package io.quotaenforcer.lab.process;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.cli.MoreCommands;
import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** The {@code quota} command line, in this process. */
public final class QuotaProgram {
  /** A busy machine's brokers take longer to answer than a user would wait. */
  private static final Map<String, String> PATIENT = Map.of("QUOTA_CONNECT_TIMEOUT", "40s");

  private QuotaProgram() {}

  /**
   * Runs a command.
   *
   * @throws CommandException with what it said if it fails
   */
  public static void run(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    if (Quota.create(out, out, PATIENT, MoreCommands.NONE).execute(arguments) != ExitCode.DONE) {
      throw new CommandException(ExitCode.FAILED, said.toString());
    }
  }
}
