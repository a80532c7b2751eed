package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota limits}: how much of limits is in force by the load of a service. */
@Command(
    name = "limits",
    description = {
      "Shows how much of each limit is in force that follows the load of a service (adapt), since"
          + " when and why. Reads quota.limits-in-force."
    })
final class LimitsCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private LimitsCommand(CommonOptions options) {
    this.options = options;
  }

  /** The command with its subcommand. */
  static CommandLine create(CommonOptions options) {
    return new CommandLine(new LimitsCommand(options))
        .addSubcommand(new LimitsWatchCommand(options));
  }

  @Override
  public Integer call() {
    Map<RuleId, LimitInForce> inForce;
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      inForce = read(topics);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(json(inForce));
    } else if (inForce.isEmpty()) {
      out.println("No published rule has a limit that follows the load.");
    } else {
      TextTable table = TextTable.of("RULE", "IN FORCE", "SINCE", "WHY");
      inForce.forEach(
          (rule, it) -> table.row(rule, it.partText(), it.since().toString(), it.reason()));
      table.lines().forEach(out::println);
    }
    return ExitCode.DONE;
  }

  private Map<RuleId, LimitInForce> read(PrefixTopics topics) {
    Map<RuleId, LimitInForce> inForce = new TreeMap<>();
    new LimitChange.Source(topics, spec.commandLine().getErr())
        .read(
            change ->
                change
                    .inForce()
                    .ifPresentOrElse(
                        it -> inForce.put(change.rule(), it), () -> inForce.remove(change.rule())));
    return inForce;
  }

  private static String json(Map<RuleId, LimitInForce> inForce) {
    ObjectNode root = Json.object();
    ArrayNode limits = root.putArray("limits");
    inForce.forEach((rule, it) -> limits.add(LimitChange.json(rule, it)));
    return Json.write(root);
  }
}
