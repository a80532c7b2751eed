package io.quotaenforcer.cli;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.PublishedRules;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.rules.RuleDiffText;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota rules list}: every published rule on a line. */
@Command(name = "list", description = "Shows the published rules.")
final class RulesListCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--domain", paramLabel = "DOMAIN", description = "Only rules of this domain.")
  private @Nullable String domain;

  RulesListCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    return rules.withRules(spec.commandLine().getErr(), this::list);
  }

  private int list(RuleAdmin admin) {
    PrintWriter out = spec.commandLine().getOut();
    PublishedRules published = admin.list();
    List<Rule> shown =
        domain == null ? List.copyOf(published.rules().values()) : published.ofDomain(domain);
    Map<String, String> unreadable =
        domain == null ? published.unreadable() : published.unreadableIn(domain);
    if (rules.json()) {
      out.println(RulesJson.rules(shown));
    } else {
      TextTable table = TextTable.of("RULE", "VERSION", "LIMIT");
      for (Rule rule : shown) {
        table.row(rule.id(), rule.version(), RuleDiffText.summary(rule));
      }
      table.lines().forEach(out::println);
    }
    PrintWriter err = spec.commandLine().getErr();
    unreadable.forEach(
        (key, reason) ->
            err.println(Printable.line("warning: " + key + " cannot be read: " + reason)));
    return RulesCommand.OK;
  }
}
