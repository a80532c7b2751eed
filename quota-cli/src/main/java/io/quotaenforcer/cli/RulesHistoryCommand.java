package io.quotaenforcer.cli;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleHistory;
import io.quotaenforcer.enforcer.rules.VersionChange;
import io.quotaenforcer.enforcer.rules.VersionText;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules history [DOMAIN[/ID]]}: who changed which rule when, and why. */
@Command(
    name = "history",
    description = "Shows who changed which rule when, how and why, newest first.")
final class RulesHistoryCommand implements Callable<Integer> {
  /** Versions of one publication have the same age: the greater one is later. */
  private static final Comparator<VersionChange> LATEST_FIRST =
      Comparator.<VersionChange>comparingLong(it -> it.version().atMillis())
          .thenComparing(it -> it.version().version())
          .reversed()
          .thenComparing(it -> it.version().id());

  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DOMAIN[/ID]",
      description = "A domain, or one rule. Default: all rules.")
  private @Nullable String which;

  @Mixin private LimitOption limit = new LimitOption();

  RulesHistoryCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    int most = limit.get(spec);
    return rules.withRules(spec.commandLine().getErr(), admin -> show(admin, most));
  }

  private int show(RuleAdmin admin, int most) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    RuleHistory history = admin.history();
    List<RuleId> wanted = history.rules().stream().filter(this::isWanted).toList();
    if (wanted.isEmpty() && which != null) {
      err.println("error: " + Printable.line(unknown(which, history)));
      return RulesCommand.FAILED;
    }
    List<VersionChange> changes = new ArrayList<>();
    wanted.forEach(id -> changes.addAll(history.changes(id)));
    changes.sort(LATEST_FIRST);
    List<VersionChange> shown = changes.subList(0, Math.min(most, changes.size()));
    if (rules.json()) {
      out.println(RulesJson.history(shown));
    } else {
      table(shown).lines().forEach(out::println);
    }
    if (shown.size() < changes.size()) {
      err.println(
          "%d older versions are not shown; --limit shows more"
              .formatted(changes.size() - shown.size()));
    }
    history
        .unreadable()
        .forEach(record -> err.println(Printable.line("warning: cannot be read: " + record)));
    return RulesCommand.OK;
  }

  private static TextTable table(List<VersionChange> changes) {
    TextTable table = TextTable.of("RULE", "VERSION", "WHEN", "AUTHOR", "MESSAGE", "CHANGE");
    for (VersionChange change : changes) {
      table.row(
          change.version().id(),
          change.version().version(),
          Instant.ofEpochMilli(change.version().atMillis()),
          change.version().author().orElse("(not recorded)"),
          change.version().message().orElse(""),
          VersionText.of(change));
    }
    return table;
  }

  private boolean isWanted(RuleId id) {
    return which == null || which.equals(id.domain()) || which.equals(id.toString());
  }

  private static String unknown(String which, RuleHistory history) {
    boolean rule = which.contains("/");
    Stream<String> known =
        history.rules().stream().map(rule ? RuleId::toString : RuleId::domain).distinct();
    String hint =
        Suggestions.nearest(which, known.toList())
            .map(near -> "; did you mean " + near + "?")
            .orElse("; quota rules history shows what there is");
    return (rule ? "no version of a rule " : "no rule of a domain ") + which + " is known" + hint;
  }
}
