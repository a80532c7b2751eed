package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.http.PenaltiesService;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota penalties list}: the quota keys that are refused everything now. */
@Command(
    name = "list",
    description = {
      "Shows which quota keys are under a penalty now, since when and until when, and how many"
          + " penalties in a row it is.",
      "Of a rule in shadow mode, these would be refused. Enforcers look through all quota keys of"
          + " the rules that have a penalty."
    })
final class PenaltiesListCommand implements Callable<Integer> {
  private static final PagedRows PENALTIES =
      new PagedRows(
          PenaltiesService.PATH,
          PenaltiesService.LIST,
          "quotaKey",
          Comparator.comparing(row -> row.path("quotaKey").asText()));

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rule",
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "Only quota keys of this rule. Default: those of all rules.")
  private @Nullable RuleId rule;

  @Mixin private final LimitOption limit = new LimitOption();

  @Option(
      names = "--after",
      paramLabel = "QUOTA-KEY",
      converter = QuotaKeyConverter.class,
      description = "Continues after this quota key, which an earlier list ended with.")
  private @Nullable QuotaKey after;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  PenaltiesListCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> question = new HashMap<>();
    if (rule != null) {
      question.put(DeferredPaths.RULE, rule.toString());
    }
    if (after != null) {
      question.put(DeferredPaths.AFTER, after.toString());
    }
    PagedRows.Listed listed =
        PENALTIES.read(
            new PartitionsSource(enforcer.address(spec, options)), question, limit.get(spec));
    Page<JsonNode> page = listed.page();
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      ObjectNode root = Json.object();
      ArrayNode penalties = root.putArray(PenaltiesService.LIST);
      page.rows().forEach(penalties::add);
      root.put("more", page.more());
      listed.last().missing().forEach(root.putArray("missing")::add);
      out.println(Json.write(root));
    } else if (page.rows().isEmpty() && listed.last().missing().isEmpty()) {
      out.println("No quota key is under a penalty.");
    } else {
      show(page, out);
    }
    return listed.last().exitCode(spec);
  }

  private static void show(Page<JsonNode> page, PrintWriter out) {
    TextTable table = TextTable.of("RULE", "MODE", "SINCE", "UNTIL", "IN A ROW", "QUOTA KEY");
    for (JsonNode row : page.rows()) {
      table.row(
          row.path("rule").asText(),
          row.path("mode").asText(),
          row.path("since").asText(),
          row.path("until").asText(),
          row.path("inARow").asLong(),
          row.path("quotaKey").asText());
    }
    table.lines().forEach(out::println);
    if (page.more()) {
      JsonNode last = page.rows().get(page.rows().size() - 1);
      out.println(Printable.line("more: --after " + PENALTIES.placeOf(last)));
    }
  }
}
