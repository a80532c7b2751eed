package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.rules.RuleYaml;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules get DOMAIN/ID}: one published rule, as a rule file. */
@Command(name = "get", description = "Shows a published rule as a rule file.")
final class RulesGetCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "DOMAIN/ID", converter = RuleIdConverter.class, description = "A rule.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId id;

  RulesGetCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    return rules.withRules(spec.commandLine().getErr(), this::get);
  }

  private int get(RuleAdmin admin) {
    PrintWriter out = spec.commandLine().getOut();
    Rule rule = admin.get(id);
    if (rules.json()) {
      out.println(RulesJson.rules(List.of(rule)));
    } else {
      out.println("# version " + rule.version() + ", counted since version " + rule.generation());
      out.print(RuleYaml.file(id.domain(), List.of(rule)));
    }
    return RulesCommand.OK;
  }
}
