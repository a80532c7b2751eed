package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.PlannedChanges;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.rules.RuleFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules apply FILE}: replaces the published rules of a domain by those of a file. */
@Command(
    name = "apply",
    description = "Publishes a rule file: adds and changes rules of its domain.")
final class RulesApplyCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A rule file.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path path;

  @Option(names = "--dry-run", description = "Shows what would change, and publishes nothing.")
  private boolean dryRun;

  @Option(
      names = "--prune",
      description = "Also deletes the domain's rules that are not in the file.")
  private boolean prune;

  @Mixin private AuthorOptions author = new AuthorOptions();

  RulesApplyCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Optional<RuleFile.Valid> file = RulesCommand.load(path, err);
    return file.isEmpty()
        ? ExitCode.USAGE
        : Integer.valueOf(rules.withRules(err, admin -> apply(admin, file.get())));
  }

  private int apply(RuleAdmin admin, RuleFile.Valid file) {
    PlannedChanges planned = admin.apply(file, prune);
    for (String domain : RuleAdmin.formerDomains(file, planned.basis())) {
      spec.commandLine()
          .getErr()
          .println(
              ("note: domain %s has rules of the same ids, which stay in force; if it was renamed to"
                      + " %s, delete them by a file that says: {domain: %s, rules: []}, and --prune")
                  .formatted(domain, file.domain(), domain));
    }
    return rules.publish(spec, planned, author, dryRun);
  }
}
