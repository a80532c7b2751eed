package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.DeferredScope;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota deferred stats}: number and age of waiting requests. */
@Command(
    name = "stats",
    description = {
      "Shows how many deferred requests wait, by priority, and since when the oldest has waited.",
      "Unacknowledged requests are released, and have no result yet."
    })
final class DeferredStatsCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final ScopeOptions scopes = new ScopeOptions();

  @Option(
      names = "--by-key",
      description = "Shows the quota keys with the most waiting requests, instead of rules.")
  private boolean byKey;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "With --by-key: how many to show, at most 1000. Default: 100.")
  private int limit = DeferredPaths.DEFAULT_LIMIT;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredStatsCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeferredScope scope = scopes.scope(spec);
    int most = LimitOption.checked(spec, limit, DeferredPaths.MAX_LIMIT);
    Map<String, String> question = ScopeOptions.parameters(scope);
    if (byKey) {
      question.put(DeferredPaths.BY_KEY, "true");
      question.put(DeferredPaths.LIMIT, Integer.toString(most));
    }
    PartitionsSource.Parts answer =
        new PartitionsSource(enforcer.address(spec, options)).ask(DeferredPaths.STATS, question);
    List<ObjectNode> rows =
        DeferredStats.merge(answer.parts()).stream().limit(byKey ? most : Long.MAX_VALUE).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      ObjectNode root = Json.object();
      ArrayNode queues = root.putArray("queues");
      rows.forEach(queues::add);
      answer.missing().forEach(root.putArray("missing")::add);
      out.println(Json.write(root));
    } else {
      String name = byKey || scope.isKey() ? "QUOTA KEY" : "RULE";
      DeferredStats.table(name, rows).lines().forEach(out::println);
    }
    return answer.exitCode(spec);
  }
}
