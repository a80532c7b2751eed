package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.rules.Authorship;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules delete DOMAIN/ID}: deletes one published rule. */
@Command(name = "delete", description = "Deletes a published rule.")
final class RulesDeleteCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "DOMAIN/ID", converter = RuleIdConverter.class, description = "A rule.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId id;

  @Mixin private AuthorOptions author = new AuthorOptions();

  RulesDeleteCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    Authorship by = author.get(spec);
    return rules.withRules(
        spec.commandLine().getErr(),
        admin -> {
          admin.delete(id, by);
          spec.commandLine().getOut().println("- " + id + ": deleted");
          return RulesCommand.OK;
        });
  }
}
