package io.quotaenforcer.cli;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.gateway.GatewayException;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a failure in one line, and turns it into an exit code. */
final class CommandErrors implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private final CommonOptions options;

  CommandErrors(CommonOptions options) {
    this.options = options;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    return show(List.of(e));
  }

  /**
   * Shows all mistakes of a command line.
   *
   * @param errors at least one
   */
  int show(List<ParameterException> errors) {
    CommandLine command = errors.get(0).getCommandLine();
    PrintWriter err = command.getErr();
    boolean suggested = false;
    for (ParameterException error : errors) {
      err.println("error: " + Printable.lines(String.valueOf(error.getMessage())));
      suggested |= suggestCommand(error, err);
    }
    if (!suggested) {
      err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    }
    err.flush();
    return ExitCode.USAGE;
  }

  private static boolean suggestCommand(ParameterException error, PrintWriter err) {
    if (error instanceof UnmatchedArgumentException unmatched) {
      CommandLine command = unmatched.getCommandLine();
      Optional<String> near =
          Suggestions.nearest(unmatched.getUnmatched().get(0), command.getSubcommands().keySet());
      if (near.isPresent()) {
        String name = command.getCommandSpec().qualifiedName() + " " + near.get();
        err.println("Did you mean: " + name + "?");
        return true;
      }
    }
    return UnmatchedArgumentException.printSuggestions(error, err);
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    int exitCode = exitCode(e);
    if (isExpected(e)) {
      String.valueOf(e.getMessage())
          .lines()
          .forEach(line -> err.println("error: " + Printable.line(line)));
    } else {
      err.println("error: " + e + " (this is a mistake in the program)");
    }
    if (options.stacktrace() || !isExpected(e)) {
      e.printStackTrace(err);
    }
    err.flush();
    return exitCode;
  }

  private static boolean isExpected(Exception e) {
    return e instanceof CommandException || e instanceof GatewayException || ExitCode.isExpected(e);
  }

  private static int exitCode(Exception e) {
    return e instanceof CommandException told ? told.exitCode() : ExitCode.of(e);
  }
}
