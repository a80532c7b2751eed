package io.quotaenforcer.cli;

import io.quotaenforcer.cli.backtest.BacktestText;
import io.quotaenforcer.cli.backtest.LogRequests;
import io.quotaenforcer.cli.log.LogFormat;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.core.backtest.BacktestBounds;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.backtest.BacktestInput;
import io.quotaenforcer.enforcer.backtest.BacktestReport;
import io.quotaenforcer.enforcer.backtest.EventRequests;
import io.quotaenforcer.enforcer.topics.TopicReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota backtest}: the effect that rules would have had on past requests. */
@Command(
    name = "backtest",
    description = {
      "Shows what rules would have decided about recorded request events or an access log, as one"
          + " process that sees every request.",
      "With --against, shows how that differs from what other rules would have decided.",
      "Exit code 2: no rule matched any request."
    })
final class BacktestCommand implements Callable<Integer> {
  private static final int MAX_TOP = 10_000;

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      required = true,
      description = "The rules: a file as for quota rules apply.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path rules;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "The rules to compare with, such as those in force.")
  private @Nullable Path against;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "The log, gzip or plain; attributes are as for quota run-log.")
  private @Nullable Path log;

  @Option(
      names = "--format",
      paramLabel = "combined|csv",
      description =
          "The log's format. Default: csv if its name ends in .csv or .csv.gz, else combined.")
  private @Nullable String format;

  @Mixin private final CsvOptions csv = new CsvOptions();

  @Option(
      names = "--events-from",
      paramLabel = "TIME",
      description =
          "The request events in Kafka since then, such as 24h (ago), 2026-01-31 or"
              + " 2026-01-31T12:00:00Z.")
  private @Nullable String eventsFrom;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many quota keys to show. Default: 10.")
  private int top;

  @Mixin private final JsonFile json = new JsonFile();

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  BacktestCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    check();
    Path old = against;
    Optional<Collection<Rule>> oldRules =
        old == null ? Optional.empty() : Optional.of(ValidRules.of(old).rules());
    Collection<Rule> newRules = ValidRules.of(rules).rules();
    checkRates(newRules);
    oldRules.ifPresent(BacktestCommand::checkRates);
    Backtest backtest = new Backtest(newRules, oldRules, BacktestBounds.DEFAULTS, hashKeys());
    json.checkWritable();
    BacktestInput input =
        log != null ? runLog(log, backtest) : runEvents(String.valueOf(eventsFrom), backtest);
    BacktestReport report = BacktestReport.of(input, backtest.end(top));
    json.write(() -> Json.write(report));
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        options.json() ? Json.write(report) + "\n" : BacktestText.report(report, input.unit()));
    out.flush();
    return report.nothingMatched() ? ExitCode.USAGE : ExitCode.DONE;
  }

  private static void checkRates(Collection<Rule> rules) {
    for (Rule rule : rules) {
      if (rule.limit() instanceof ConcurrencyLimit) {
        throw new CommandException(
            ExitCode.USAGE,
            "rule %s has limit.concurrent, and past requests do not say when they ended; leave it out of the file"
                .formatted(rule.id()));
      }
    }
  }

  /** A log need not be hashed by the keys of the services, only by some. */
  private HashKeys hashKeys() {
    HashKeys given = hashKeys.keys(options.environment());
    return given.isEmpty() ? HashKeys.ofProcess(new SecureRandom()) : given;
  }

  private void check() {
    if ((log == null) == (eventsFrom == null)) {
      throw new CommandException(
          ExitCode.USAGE, "must be given, one of them: --log=FILE, --events-from=TIME");
    }
    if (log == null && (format != null || csv.areGiven())) {
      throw new CommandException(ExitCode.USAGE, "--format, --time and --cost are for --log only");
    }
    if (top < 0 || top > MAX_TOP) {
      throw new CommandException(
          ExitCode.USAGE, "must be a whole number from 0 to " + MAX_TOP + ": --top=" + top);
    }
  }

  private BacktestInput runLog(Path file, Backtest backtest) {
    PrintWriter err = spec.commandLine().getErr();
    try (LogReader reader = LogFile.open(file, formatOf(file), csv.columns())) {
      BacktestProgress progress = new BacktestProgress(err, System.console() != null);
      BacktestInput input =
          LogRequests.run(
              reader,
              file.toString(),
              backtest,
              (share, lines) -> progress.at(share, lines, backtest.totals()));
      progress.end();
      return input;
    } catch (IOException e) {
      throw LogFile.unreadable(file, e);
    }
  }

  private LogFormat formatOf(Path file) {
    return format == null ? LogFormat.ofFile(file) : LogFile.format(format);
  }

  private BacktestInput runEvents(String text, Backtest backtest) {
    Instant now = Instant.now();
    Instant from = PastTime.parse("--events-from", text, now);
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      EventRequests events = new EventRequests(topics.wire(), from, now, backtest, event -> {});
      String topic = topics.wire().topics().requestEvents().name();
      new TopicReader(topics.brokers(), System::nanoTime)
          .readMerged(topic, from.toEpochMilli(), events::timeMillis, events);
      BacktestInput input = events.input();
      if (input.counts().read() == input.counts().unreadable()) {
        throw new CommandException(ExitCode.FAILED, nothing(input, from));
      }
      return input;
    }
  }

  private static String nothing(BacktestInput input, Instant from) {
    return input.counts().unreadable() == 0
        ? "there are no request events since %s in %s; go further back, or emit some (request.events"
                .formatted(from, input.from())
            + " of the admission client, or a RequestEventEmitter)"
        : "none of the %,d events since %s in %s can be read; %s %s"
            .formatted(
                input.counts().read(),
                from,
                input.from(),
                input.firstUnreadable().get(0).place(),
                input.firstUnreadable().get(0).reason());
  }
}
