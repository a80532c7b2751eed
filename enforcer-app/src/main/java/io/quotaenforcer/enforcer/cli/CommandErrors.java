package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.core.setting.SettingsException;
import io.quotaenforcer.enforcer.embedded.BrokerException;
import io.quotaenforcer.enforcer.http.HttpException;
import io.quotaenforcer.enforcer.lifecycle.EndingException;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.enforcer.text.Printable;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.schemas.codec.CodecException;
import java.io.PrintWriter;
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
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("error: " + Printable.lines(String.valueOf(e.getMessage())));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    }
    err.flush();
    return ExitCode.USAGE;
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
