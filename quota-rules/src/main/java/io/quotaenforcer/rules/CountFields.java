package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Which requests count by how they turn out, as a rule file has it. */
final class CountFields {
  static final String COUNT = "count";
  private static final String WHEN = "when";
  private static final String EXAMPLE = "{when: {status: \"401\"}}";

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`count`",
              "`{when: {status: \"401\"}}`: [only requests that turn out so](#counting-by-outcome)"
                  + " count; not with `over-limit: defer` or `limit.concurrent`",
              "every request"),
          new Doc(
              "`count.when`",
              "conditions as of `match`, on what a service tells of a request that has run",
              "required"));

  private CountFields() {}

  static @Nullable CountWhen read(
      Reading reading, Node node, @Nullable Limit limit, @Nullable OverLimit overLimit) {
    Problems problems = reading.problems();
    Fields fields = Fields.of(node, "count must be a mapping such as " + EXAMPLE, problems);
    if (fields == null) {
      return null;
    }
    fields.only(List.of(WHEN));
    Node when = fields.required(WHEN, "say how requests that count turn out: count: " + EXAMPLE);
    if (limit instanceof ConcurrencyLimit) {
      problems.at(
          node,
          "count has no meaning with limit.concurrent, where requests count while they run; remove"
              + " it");
      return null;
    }
    if (overLimit != null && overLimit.defers()) {
      problems.at(
          node,
          "count is not for rules that defer: a replay has paid before it runs, however it turns"
              + " out; use over-limit: throttle, or remove count");
      return null;
    }
    if (when == null) {
      return null;
    }
    int before = problems.count();
    Map<String, Matcher> conditions =
        new MatchReader(problems).read(when, "count.when", "{status: \"401\"}");
    if (conditions.isEmpty()) {
      if (problems.count() == before) {
        problems.at(
            when, "count.when has no condition; give one, or remove count if every request counts");
      }
      return null;
    }
    return new CountWhen(conditions);
  }

  /** As in a rule file. */
  static String text(CountWhen count) {
    return "{when: %s}".formatted(YamlValues.match(count.conditions()));
  }

  /** In plain words. */
  static String words(CountWhen count) {
    return "only requests that turn out so: %s. Until a service tells how a request turned out (Reservation#commit), it holds what it may cost; one of which nobody tells counts, as does every request that is only decided"
        .formatted(
            new TreeMap<>(count.conditions())
                .entrySet().stream()
                    .map(each -> MatchWords.condition(each.getKey(), each.getValue()))
                    .collect(Collectors.joining(" and ")));
  }
}
