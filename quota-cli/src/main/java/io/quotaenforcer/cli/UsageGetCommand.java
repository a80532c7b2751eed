package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota usage get}: the counts of one quota key. */
@Command(name = "get", description = "Shows what was counted for one quota key, as of now.")
final class UsageGetCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rule",
      required = true,
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "The rule.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId rule;

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  @Parameters(
      paramLabel = "ATTRIBUTE=VALUE",
      description =
          "The rule's key attributes, such as user=42. A value that the rule hashes is hashed here"
              + " before the enforcer is asked; or give its hash.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  UsageGetCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    EnforcerClient client = new EnforcerClient(enforcer.address(spec, options));
    String path = "/usage/" + rule.domain() + "/" + rule.id();
    Set<String> hashed = attributes.isEmpty() ? Set.of() : client.hashed(path);
    List<Map<String, String>> questions =
        HashedQuestions.of(rule, attributes, hashed, hashKeys.keys(options.environment()));
    List<JsonNode> answers = new ArrayList<>();
    for (Map<String, String> question : questions) {
      answers.add(client.get(path, question));
    }
    if (options.json()) {
      spec.commandLine()
          .getOut()
          .println(Json.write(answers.size() == 1 ? answers.get(0) : answers));
    } else {
      answers.forEach(this::show);
    }
    return ExitCode.DONE;
  }

  private void show(JsonNode usage) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        Printable.line(
            usage.path("quotaKey").asText() + ", limit " + usage.path("limit").asText()));
    out.println(
        "%d available, %d held by %d instance(s)"
            .formatted(
                usage.path("available").asLong(),
                usage.path("outstanding").asLong(),
                usage.path("holders").asLong()));
    if (usage.has("penaltyUntil")) {
      out.println("under a penalty until " + usage.path("penaltyUntil").asText());
    }
    TextTable table = TextTable.of("WINDOW", "USED", "THROTTLED");
    usage
        .path("windows")
        .forEach(
            window ->
                table.row(
                    window.path("start").asText(),
                    window.path("used").asLong(),
                    window.path("throttled").asLong()));
    table.lines().forEach(out::println);
  }
}
