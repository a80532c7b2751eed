package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.core.message.DeferralInput.Purge;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.operations.RequestChange;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota deferred purge}: removes all waiting requests of a rule or quota key. */
@Command(
    name = "purge",
    description = {
      "Removes all waiting requests of a rule or quota key: each becomes a dead letter with the"
          + " reason.",
      "Requests that are released already, or deferred later, are not touched."
    })
final class DeferredPurgeCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final ScopeOptions scopes = new ScopeOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for the dead letters. Default: by hand.")
  private String reason = "by hand";

  @Option(names = "--dry-run", description = "Shows what would be done, and writes nothing.")
  private boolean dryRun;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredPurgeCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeferredScope scope = scopes.requiredScope(spec);
    PartitionsSource source = new PartitionsSource(enforcer.address(spec, options));
    List<ObjectNode> before = stats(source, scope);
    if (dryRun) {
      show(scope, before, "would be purged", LeftOfPurge.NOTHING, ids(source, scope));
      return ExitCode.DONE;
    }
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      topics.write(topics.records().to(scope, new Purge(scope.text(), reason)));
    }
    LeftOfPurge left =
        LeftOfPurge.await(
            () -> DeferredStats.total(stats(source, scope)),
            DeferredStats.total(before),
            Patience.of(PATIENCE));
    show(scope, before, left.isDone() ? "purged" : "asked to be purged", left, List.of());
    left.trouble()
        .ifPresent(why -> spec.commandLine().getErr().println(Printable.line("warning: " + why)));
    return ExitCode.DONE;
  }

  private void show(
      DeferredScope scope,
      List<ObjectNode> before,
      String what,
      LeftOfPurge left,
      List<String> ids) {
    PrintWriter out = spec.commandLine().getOut();
    long total = DeferredStats.total(before);
    if (options.json()) {
      ObjectNode root =
          Json.object()
              .put("dryRun", dryRun)
              .put("scope", scope.text())
              .put("requests", total)
              .put("quotaKeys", DeferredStats.keys(before));
      left.requests().ifPresent(requests -> root.put("left", requests));
      ArrayNode array = root.putArray("ids");
      ids.forEach(array::add);
      out.println(Json.write(root));
      return;
    }
    out.println(
        Printable.line(
            "%s: %s waiting request(s) of %s quota key(s) %s"
                .formatted(
                    scope.text(),
                    Figures.number(total),
                    Figures.number(DeferredStats.keys(before)),
                    what)));
    ids.forEach(id -> out.println(Printable.line("- " + id)));
    if (ids.size() < total && dryRun) {
      out.println("- and others; quota deferred list shows them");
    }
    left.advice().ifPresent(out::println);
  }

  private static List<ObjectNode> stats(PartitionsSource source, DeferredScope scope)
      throws InterruptedException {
    PartitionsSource.Parts answer = source.ask(DeferredPaths.STATS, ScopeOptions.parameters(scope));
    if (answer.warning().isPresent()) {
      throw new CommandException(ExitCode.UNREACHABLE, answer.warning().get());
    }
    return DeferredStats.merge(answer.parts());
  }

  private static List<String> ids(PartitionsSource source, DeferredScope scope)
      throws InterruptedException {
    Map<String, String> question = ScopeOptions.parameters(scope);
    PartitionsSource.Parts answer = source.ask(DeferredPaths.LIST, question);
    List<String> ids = new ArrayList<>();
    for (JsonNode request :
        DeferredRows.LIST.merge(answer.parts(), DeferredPaths.DEFAULT_LIMIT).rows()) {
      if (RequestChange.waits(request)) {
        ids.add(request.path("id").asText());
      }
    }
    return ids;
  }
}
