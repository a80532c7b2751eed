package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.cli.entitlements.EntitlementCsv;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.server.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota entitlements import}: gives the quota keys of a file their limits. */
@Command(
    name = "import",
    description = {
      "Gives each quota key of a CSV file its limit. The header names the attributes of the rule's"
          + " key, and permits, plan or exempt, of which each line gives one.",
      "If a line is wrong, nothing is written. Quota keys that are not in the file keep what they"
          + " have; of two lines for one, the last holds.",
      "The file is read twice, so it cannot be a pipe. After a failure it may be imported again."
    })
final class EntitlementsImportCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 20;

  private final EntitlementsCommand command;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rule",
      required = true,
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "The rule, which has limits-from: entitlements.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId rule;

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  @Parameters(paramLabel = "FILE.csv", description = "The file, in UTF-8.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(names = "--dry-run", description = "Checks the file, and writes nothing.")
  private boolean dryRun;

  EntitlementsImportCommand(EntitlementsCommand command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    checkRegular();
    EntitledRule entitled = command.rule(rule, hashKeys.keys(command.options().environment()));
    EntitlementCsv csv = new EntitlementCsv(file, entitled);
    try {
      long lines = check(csv);
      if (!dryRun) {
        write(csv, lines);
      }
      spec.commandLine()
          .getOut()
          .println(
              "%s: %s of %s quota key(s)"
                  .formatted(
                      Printable.line(rule.toString()),
                      dryRun ? "would set the limits" : "set the limits",
                      Figures.number(lines)));
      return ExitCode.DONE;
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot read %s as text in UTF-8: %s".formatted(file, e), e);
    }
  }

  private void checkRegular() {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s is no regular file, and is read twice: before anything is written, and to write it; write what it gives to a file first, and import that"
              .formatted(file));
    }
  }

  private long check(EntitlementCsv csv) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    long[] wrong = {0};
    long lines =
        csv.read(
            (keys, entitlement) -> {},
            problem -> {
              if (wrong[0]++ < MOST_SHOWN) {
                err.println(Printable.line(problem));
              }
            });
    if (wrong[0] > 0) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s line(s) of %s are wrong%s; nothing was written"
              .formatted(
                  Figures.number(wrong[0]),
                  file,
                  wrong[0] > MOST_SHOWN ? ", of which the first are shown" : ""));
    }
    return lines;
  }

  private void write(EntitlementCsv csv, long lines) {
    try (PrefixTopics topics = PrefixTopics.open(command.options());
        RecordWriter writer = new RecordWriter(topics.brokers())) {
      new EntitlementBatches(
              lines, (key, entitlement) -> topics.to(key, Optional.of(entitlement)), writer::write)
          .write(csv);
    }
  }
}
