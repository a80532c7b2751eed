package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota deferred list}: requests in the order of release. */
@Command(
    name = "list",
    description = {
      "Shows deferred requests of a rule or quota key.",
      "Within a quota key, requests that an operator has moved to the front come first, then"
          + " those of high, normal and low priority, each in the order of release. A released"
          + " request is shown until its result comes."
    })
final class DeferredListCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final ScopeOptions scopes = new ScopeOptions();
  @Mixin private final LimitOption limit = new LimitOption();

  @Option(
      names = "--after",
      paramLabel = "PLACE",
      description = "Continues after this place, which an earlier list ended with.")
  private @Nullable String after;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredListCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeferredScope scope = scopes.requiredScope(spec);
    Map<String, String> question = ScopeOptions.parameters(scope);
    if (after != null) {
      question.put(DeferredPaths.AFTER, after);
    }
    PagedRows.Listed listed =
        DeferredRows.LIST.read(
            new PartitionsSource(enforcer.address(spec, options)), question, limit.get(spec));
    PartitionsSource.Parts answer = listed.last();
    Page<JsonNode> page = listed.page();
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      ObjectNode root = Json.object();
      ArrayNode requests = root.putArray("requests");
      page.rows().forEach(requests::add);
      root.put("more", page.more());
      answer.missing().forEach(root.putArray("missing")::add);
      out.println(Json.write(root));
    } else {
      DeferredRows.table(page.rows()).lines().forEach(out::println);
      if (page.more()) {
        JsonNode last = page.rows().get(page.rows().size() - 1);
        out.println(Printable.line("more: --after " + DeferredRows.LIST.placeOf(last)));
      }
    }
    return answer.exitCode(spec);
  }
}
