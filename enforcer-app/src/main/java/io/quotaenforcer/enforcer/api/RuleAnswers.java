package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.rules.RuleExplainer;
import io.quotaenforcer.rules.RuleExplanation;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.server.JsonResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules in force, and rule files that are checked. */
final class RuleAnswers {
  private RuleAnswers() {}

  static ApiAnswer list(ApiCall call, ApiSources sources) {
    ObjectNode body = JsonResponse.object();
    ArrayNode rules = body.putArray("rules");
    sources.rules().inForce().get().rules().stream()
        .sorted(Comparator.comparing(rule -> rule.id().toString()))
        .forEach(
            rule -> {
              ObjectNode row = rules.addObject();
              RuleJson.put(row, rule);
              RuleJson.put(row, explained(rule, sources).bound());
            });
    return ApiAnswer.of(body);
  }

  static ApiAnswer show(ApiCall call, ApiSources sources) {
    RuleId id = id(call);
    Rule rule =
        sources
            .rules()
            .inForce()
            .get()
            .rule(id)
            .orElseThrow(() -> new ApiProblem(Kind.NOT_FOUND, "no such rule in force: " + id));
    ObjectNode body = JsonResponse.object();
    RuleJson.put(body, rule);
    putExplained(body, explained(rule, sources));
    List<Rule> file = together(id, sources.rules().inForce().get());
    body.put("yaml", RuleYaml.file(id.domain(), file));
    body.put(ApiRoutes.VERSIONS, SeenVersions.of(file).text());
    return new ApiAnswer(body, Optional.of(etag(rule.version())));
  }

  /** A rule as it was published, and the pool that it borrows of: neither is a file alone. */
  private static List<Rule> together(RuleId id, RuleSet inForce) {
    Map<RuleId, Rule> declared = new TreeMap<>();
    inForce.declared().forEach(rule -> declared.put(rule.id(), rule));
    Optional<Rule> rule = Optional.ofNullable(declared.get(id));
    Optional<Rule> pool =
        rule.flatMap(Rule::elastic)
            .map(elastic -> declared.get(new RuleId(id.domain(), elastic.pool())));
    return Stream.of(pool, rule).flatMap(Optional::stream).toList();
  }

  static ApiAnswer validate(ApiCall call, ApiSources sources) {
    RuleFile file = RuleFile.parse("body", call.body());
    ObjectNode body = JsonResponse.object();
    body.put("valid", file instanceof RuleFile.Valid);
    putProblems(body, file);
    ArrayNode explanations = body.putArray("explanations");
    if (file instanceof RuleFile.Valid valid) {
      for (Rule rule : valid.rules()) {
        ObjectNode row = explanations.addObject();
        RuleJson.put(row, rule);
        putExplained(row, explained(rule, sources));
      }
    }
    return ApiAnswer.of(body);
  }

  static void putProblems(ObjectNode to, RuleFile file) {
    ArrayNode problems = to.putArray("problems");
    if (file instanceof RuleFile.Invalid invalid) {
      for (RuleProblem problem : invalid.problems()) {
        problems
            .addObject()
            .put("line", problem.line())
            .put("column", problem.column())
            .put("message", problem.message());
      }
    }
  }

  /** The text in the path, whether or not it can be the id of a rule. */
  static String target(ApiCall call) {
    return call.path().get("domain") + "/" + call.path().get("id");
  }

  /**
   * @throws IllegalArgumentException with all problems, if the file has any
   */
  static RuleFile.Valid valid(String yaml) {
    RuleFile file = RuleFile.parse("body", yaml);
    if (file instanceof RuleFile.Valid valid) {
      return valid;
    }
    throw new IllegalArgumentException(
        ((RuleFile.Invalid) file)
            .problems().stream().map(Object::toString).collect(Collectors.joining("; ")));
  }

  static String domain(ApiCall call) {
    return String.valueOf(call.path().get("domain"));
  }

  static RuleId id(ApiCall call) {
    return new RuleId(domain(call), String.valueOf(call.path().get("id")));
  }

  static String etag(long version) {
    return "\"" + version + "\"";
  }

  private static RuleExplanation explained(Rule rule, ApiSources sources) {
    return RuleExplainer.of(rule, sources.rules().maxInstances());
  }

  private static void putExplained(ObjectNode to, RuleExplanation explained) {
    to.put("maxInstances", explained.maxInstances());
    RuleJson.put(to, explained.bound());
    to.put("expectedOver", explained.bound().expected());
    RuleJson.putWords(to, explained);
  }
}
