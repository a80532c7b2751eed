package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleChange;
import io.quotaenforcer.enforcer.rules.RuleDiffText;
import io.quotaenforcer.enforcer.rules.RuleFile;
import io.quotaenforcer.enforcer.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules apply FILE}: makes the published rules of a domain those of a file. */
@Command(
    name = "apply",
    description = "Make the published rules of the file's domain those of the file.")
final class RulesApplyCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A rule file.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path path;

  @Option(names = "--dry-run", description = "Show what would change, and publish nothing.")
  private boolean dryRun;

  @Option(names = "--prune", description = "Delete the rules of the domain that the file lacks.")
  private boolean prune;

  RulesApplyCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Optional<RuleFile.Valid> file = RulesCommand.load(path, err);
    return file.isEmpty()
        ? RulesCommand.FAILED
        : Integer.valueOf(rules.withRules(err, admin -> apply(admin, file.get())));
  }

  private int apply(RuleAdmin admin, RuleFile.Valid file) {
    PrintWriter out = spec.commandLine().getOut();
    List<RuleChange> changes = admin.apply(file, prune, dryRun);
    if (rules.json()) {
      out.println(RulesJson.changes(changes, dryRun));
    } else {
      RuleDiffText.lines(changes).forEach(line -> out.println(Printable.line(line)));
      if (dryRun) {
        out.println("dry run: nothing was published");
      }
    }
    return RulesCommand.OK;
  }
}
