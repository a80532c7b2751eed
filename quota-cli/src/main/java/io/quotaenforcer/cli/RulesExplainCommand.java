package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.PublishedRules;
import io.quotaenforcer.enforcer.topics.TopicCreation;
import io.quotaenforcer.rules.RequestExplanation;
import io.quotaenforcer.rules.RuleExplainer;
import io.quotaenforcer.rules.RuleExplanation;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code quota rules explain FILE|DOMAIN/ID...}: rules in plain words, with their bounds; {@code
 * quota rules explain NAME=VALUE...}: the rules' effect on a request.
 */
@Command(
    name = "explain",
    description = {
      "Explains rules in plain words: what matches, the limit, the most that can be admitted over"
          + " it, and what happens while the enforcer is away. Rules of a file need no broker.",
      "Or explains a request (user=42 api=/posts): which published rules match it and why, which"
          + " quota keys it counts under, and their limits and bounds."
    })
final class RulesExplainCommand implements Callable<Integer> {
  /** Defaults for new topics. */
  static final PrefixInfo DEFAULT_PREFIX =
      new PrefixInfo(
          Topics.DEFAULT_PARTITIONS, QuotaKey.HASH_VERSION, TopicCreation.DEFAULT_MAX_INSTANCES);

  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DOMAIN/ID|NAME=VALUE",
      description = "Rule files, published rules, or the attributes of one request.")
  private List<String> which = List.of();

  @Option(
      names = "--max-instances",
      paramLabel = "N",
      description =
          "The most instances there will be. Default: what the topics were created with, for"
              + " published rules; 100 for a file.")
  private @Nullable Integer maxInstances;

  @Mixin private RequestOptions request = new RequestOptions();

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

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
    if (which.stream().anyMatch(one -> one.indexOf('=') > 0 && !Files.exists(Path.of(one)))) {
      return explain(RequestOptions.request(spec, which));
    }
    request.checkUnused(spec);
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

  private int explain(Request asked) {
    PrintWriter err = spec.commandLine().getErr();
    if (request.files().isEmpty()) {
      return rules.withRules(
          err,
          admin -> {
            PublishedRules published = admin.list();
            published
                .unreadable()
                .forEach(
                    (key, reason) ->
                        err.println(
                            Printable.line("warning: " + key + " cannot be read: " + reason)));
            return show(asked, published.rules().values(), rules.prefix());
          });
    }
    List<Rule> ofFiles = new ArrayList<>();
    for (Path path : request.files()) {
      Optional<RuleFile.Valid> file = RulesCommand.load(path, err);
      if (file.isEmpty()) {
        return ExitCode.USAGE;
      }
      ofFiles.addAll(file.get().rules());
    }
    return show(asked, ofFiles, DEFAULT_PREFIX);
  }

  private int show(Request asked, Collection<Rule> known, PrefixInfo prefix) {
    Optional<String> domain = request.domain();
    RequestExplanation explained =
        RequestExplanation.of(
            asked,
            hashKeys.keys(rules.environment()),
            known.stream()
                .filter(rule -> domain.isEmpty() || rule.id().domain().equals(domain.get()))
                .toList(),
            request.partitions(spec, prefix.partitions()),
            maxInstances == null ? prefix.maxInstances() : maxInstances);
    PrintWriter out = spec.commandLine().getOut();
    if (rules.json()) {
      out.println(RequestExplanationJson.of(explained, request.all()));
    } else {
      new RequestExplanationText(out).print(explained, request.all());
    }
    return RulesCommand.OK;
  }

  private int explain(String which, List<RuleExplanation> to) {
    PrintWriter err = spec.commandLine().getErr();
    Path path = Path.of(which);
    Optional<RuleId> id = Files.exists(path) ? Optional.empty() : id(which);
    if (id.isEmpty()) {
      Optional<RuleFile.Valid> file = RulesCommand.load(path, err);
      file.ifPresent(valid -> explain(valid.rules(), DEFAULT_PREFIX.maxInstances(), to));
      return file.isPresent() ? RulesCommand.OK : ExitCode.USAGE;
    }
    return rules.withRules(
        err,
        admin -> {
          Rule published = admin.get(id.get());
          explain(List.of(published), rules.prefix().maxInstances(), to);
          return RulesCommand.OK;
        });
  }

  private void explain(List<Rule> some, int most, List<RuleExplanation> to) {
    int instances = maxInstances == null ? most : maxInstances;
    some.forEach(rule -> to.add(RuleExplainer.of(rule, instances)));
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
