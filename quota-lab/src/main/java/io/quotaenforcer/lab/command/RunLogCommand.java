package io.quotaenforcer.lab.command;

import io.quotaenforcer.broker.BrokerException;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.cli.CommonOptions;
import io.quotaenforcer.cli.CsvOptions;
import io.quotaenforcer.cli.JsonFile;
import io.quotaenforcer.cli.LogFile;
import io.quotaenforcer.cli.ValidRules;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.runlog.LogReport;
import io.quotaenforcer.lab.runlog.LogRun;
import io.quotaenforcer.lab.runlog.LogRunOptions;
import io.quotaenforcer.lab.runlog.LogText;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.server.lifecycle.Foreground;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota run-log}: the effect that rules would have had on a real access log. */
@Command(
    name = "run-log",
    description = {
      "Replays an access log, gzip or plain, faster than it was recorded, through a broker, an"
          + " enforcer and several instances in this process, and judges whether they kept their"
          + " promises.",
      "Attributes of the combined format: host, user, method, path, protocol, status, bytes,"
          + " referer, agent. A csv file names them in its header.",
      "Exit code 1: a promise was broken, 2: no rule matched any line."
    })
final class RunLogCommand implements Callable<Integer> {
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(30);

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The log.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--format",
      paramLabel = "combined|csv",
      required = true,
      description =
          "The log's format: combined (Apache, nginx; also common), or csv with a header.")
  private String format = "";

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      required = true,
      description = "The rules: a file as for quota rules apply.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path rules;

  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "4",
      description = "Admission clients, which get lines in turn and share nothing. Default: 4.")
  private int instances;

  @Option(
      names = "--speed",
      paramLabel = "N",
      defaultValue = "60",
      description = "How many times faster than recorded. Default: 60.")
  private long speed;

  @Option(
      names = "--no-wait",
      description =
          "Decides each line at once, as a service that calls decide without waiting. Without"
              + " this a line waits for the enforcer's answer.")
  private boolean noWait;

  @Mixin private final CsvOptions csv = new CsvOptions();

  @Mixin private final JsonFile json = new JsonFile();

  RunLogCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws Exception {
    RuleFile.Valid ruleFile = ValidRules.of(rules);
    LogRunOptions run = checked(ruleFile);
    json.checkWritable();
    LogReport report;
    try (LogReader reader = open()) {
      RunLogProgress progress =
          new RunLogProgress(spec.commandLine().getErr(), System.console() != null);
      report = Foreground.run(CLOSE_DEADLINE, () -> run(new LogRun(run, reader, progress)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
    json.write(report::toJson);
    String text = options.json() ? report.toJson() + "\n" : LogText.report(report);
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    if (!report.judged()) {
      return ExitCode.USAGE;
    }
    return report.kept() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private LogReport run(LogRun run) throws InterruptedException {
    try {
      return run.run();
    } catch (IOException e) {
      throw LogFile.unreadable(file, e);
    } catch (BrokerException e) {
      throw new CommandException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private LogRunOptions checked(RuleFile.Valid ruleFile) {
    try {
      return new LogRunOptions(
          ruleFile.domain(),
          ruleFile.rules(),
          instances,
          speed,
          noWait ? Duration.ZERO : LogRunOptions.USUAL_WAIT);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private LogReader open() {
    return LogFile.open(file, LogFile.format(format), csv.columns());
  }
}
