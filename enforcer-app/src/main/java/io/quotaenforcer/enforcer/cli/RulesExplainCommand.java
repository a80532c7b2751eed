package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleExplanation;
import io.quotaenforcer.enforcer.rules.RuleFile;
import io.quotaenforcer.enforcer.topics.TopicCreation;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules explain FILE|DOMAIN/ID...}: rules in plain words, with their bounds. */
@Command(
    name = "explain",
    description = {
      "Explain rules in plain words: what matches, the limit, the most that can be admitted over it,"
          + " and what happens while the enforcer is away.",
      "Rules of a file need no broker."
    })
final class RulesExplainCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DOMAIN/ID",
      description = "Rule files, or published rules.")
  private List<String> which = List.of();

  @Option(
      names = "--max-instances",
      paramLabel = "N",
      description =
          "Most instances there will be. Default: what the topics were created with, for published"
              + " rules; 100 for a file.")
  private @Nullable Integer maxInstances;

  RulesExplainCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    if (maxInstances != null
        && (maxInstances < 1 || maxInstances > TopicsCreateCommand.MAX_INSTANCES)) {
      throw new CommandException(
          ExitCode.USAGE,
          "must be between 1 and %d: --max-instances=%d"
              .formatted(TopicsCreateCommand.MAX_INSTANCES, maxInstances));
    }
    List<RuleExplanation> explained = new ArrayList<>();
    for (String one : which) {
      int result = explain(one, explained);
      if (result != RulesCommand.OK) {
        return result;
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (rules.json()) {
      out.println(RulesJson.explanations(explained));
    } else {
      new ExplanationText(out).print(explained);
    }
    return RulesCommand.OK;
  }

  private int explain(String which, List<RuleExplanation> to) {
    PrintWriter err = spec.commandLine().getErr();
    Path path = Path.of(which);
    Optional<RuleId> id = Files.exists(path) ? Optional.empty() : id(which);
    if (id.isEmpty()) {
      Optional<RuleFile.Valid> file = RulesCommand.load(path, err);
      file.ifPresent(valid -> explain(valid.rules(), TopicCreation.DEFAULT_MAX_INSTANCES, to));
      return file.isPresent() ? RulesCommand.OK : RulesCommand.FAILED;
    }
    return rules.withRules(
        err,
        admin -> {
          Rule published = admin.get(id.get());
          explain(List.of(published), rules.maxInstances(), to);
          return RulesCommand.OK;
        });
  }

  private void explain(List<Rule> some, int most, List<RuleExplanation> to) {
    int instances = maxInstances == null ? most : maxInstances;
    some.forEach(rule -> to.add(RuleExplanation.of(rule, instances)));
  }

  /** Empty when it can only be meant as a file. */
  private static Optional<RuleId> id(String text) {
    if (text.endsWith(".yaml") || text.endsWith(".yml")) {
      return Optional.empty();
    }
    try {
      return Optional.of(RuleId.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
