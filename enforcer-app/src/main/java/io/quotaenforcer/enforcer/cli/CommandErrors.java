package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.setting.SettingsException;
import io.quotaenforcer.enforcer.embedded.BrokerException;
import io.quotaenforcer.enforcer.http.HttpException;
import io.quotaenforcer.enforcer.lifecycle.EndingException;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.enforcer.text.Printable;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.schemas.codec.CodecException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in a line, and turns it into an exit code. */
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
   * Shows all that is wrong with a command line.
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
    return e instanceof CommandException
        || e instanceof SettingsException
        || e instanceof BrokersException
        || e instanceof BrokerException
        || e instanceof HttpException
        || e instanceof RulesException
        || e instanceof CodecException
        || e instanceof EndingException
        || e instanceof ConfigException;
  }

  private static int exitCode(Exception e) {
    if (e instanceof CommandException told) {
      return told.exitCode();
    }
    if (e instanceof SettingsException || e instanceof ConfigException) {
      return ExitCode.USAGE;
    }
    if (e instanceof BrokersException brokers) {
      return switch (brokers.reason()) {
        case UNREACHABLE -> ExitCode.UNREACHABLE;
        case REFUSED -> ExitCode.FAILED;
      };
    }
    if (e instanceof CodecException codec) {
      return codec.isRetriable() ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    }
    return ExitCode.FAILED;
  }
}
