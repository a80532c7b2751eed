package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** How far quota keys may go beyond their limit, as a rule file has it. */
final class ElasticFields {
  static final String ELASTIC = "elastic";
  private static final String POOL = "pool";
  private static final String UP_TO = "up-to";
  private static final List<String> KEYS = List.of(POOL, UP_TO);

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`elastic`",
              "`{pool: ID, up-to: 300%}`: [beyond its limit](#elastic-limits) a quota key borrows"
                  + " of another rule, as long as that has room; not with `per-instance`,"
                  + " `limits-from`, `adapt`, `penalty` or `limit.concurrent`",
              "the limit is the limit"),
          new Doc(
              "`elastic.pool`",
              "id of the rule that lends; of this file, and one that the requests match, too",
              "required"),
          new Doc(
              "`elastic.up-to`",
              "`101%` to `10000%` of the limit, which a quota key may take in all",
              "required"));

  private ElasticFields() {}

  static @Nullable Optional<Elastic> read(
      Reading reading, Node node, @Nullable Limit limit, @Nullable Enforcement enforcement) {
    Problems problems = reading.problems();
    Fields fields =
        Fields.of(
            node, "elastic must be a mapping such as {pool: all-requests, up-to: 300%}", problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node poolNode = fields.required(POOL, "name the rule that lends, such as pool: all-requests");
    Node upToNode =
        fields.required(UP_TO, "say what a quota key may take in all, such as up-to: 300%");
    String pool = poolNode == null ? null : reading.scalars().name(poolNode, "elastic.pool");
    Integer upTo =
        upToNode == null
            ? null
            : reading
                .scalars()
                .percent(
                    upToNode, "elastic.up-to", Elastic.MIN_BASIS_POINTS, Elastic.MAX_BASIS_POINTS);
    if (enforcement == Enforcement.PER_INSTANCE) {
      problems.at(
          node,
          "elastic is not for per-instance rules, whose instances know nothing of each other; use"
              + " balanced or strict");
      return null;
    }
    if (limit instanceof ConcurrencyLimit) {
      problems.at(
          node,
          "elastic is not for limits of how many run at a time; remove it, or limit permits per"
              + " period");
      return null;
    }
    if (pool == null || upToNode == null || upTo == null || limit == null) {
      return null;
    }
    if (limit.permits() * (upTo - DemandClass.WHOLE) / DemandClass.WHOLE < 1) {
      problems.at(
          upToNode,
          "%s of %s leaves no whole permit to borrow; raise it"
              .formatted(Words.percent(upTo), LimitWords.permits(limit.permits())));
      return null;
    }
    return Optional.of(new Elastic(pool, upTo));
  }

  /** Why a limit on what may be borrowed cannot be counted; null when all can. */
  static @Nullable String tooMuch(Reading reading) {
    Elastic elastic = reading.get(RuleFields.ELASTIC).orElse(null);
    if (elastic == null) {
      return null;
    }
    String problem = tooMuch(elastic, reading.get(RuleFields.LIMIT), "");
    for (RuleOverride override : reading.get(RuleFields.OVERRIDES).all()) {
      Limit limit = override.limit().orElse(null);
      if (problem == null && limit != null) {
        problem = tooMuch(elastic, limit, " with the override " + RuleFields.text(override));
      }
    }
    return problem;
  }

  private static @Nullable String tooMuch(Elastic elastic, Limit limit, String where) {
    int beyond = elastic.upToBasisPoints() - DemandClass.WHOLE;
    try {
      limit.withPermits(Math.max(1, limit.permits() * beyond / DemandClass.WHOLE));
      return null;
    } catch (IllegalArgumentException e) {
      return "what may be borrowed%s %s; choose a smaller up-to".formatted(where, e.getMessage());
    }
  }

  /**
   * Reports rules that cannot borrow of the rule that they name.
   *
   * @param nodes of the field, by rule
   * @param ids of all rules, right or wrong
   */
  static void check(
      List<Rule> rules,
      Map<String, @Nullable Node> nodes,
      Map<String, Node> ids,
      Problems problems) {
    Map<String, Rule> byId =
        rules.stream().collect(Collectors.toMap(rule -> rule.id().id(), rule -> rule, (a, b) -> a));
    for (Rule rule : rules) {
      Node node = nodes.get(rule.id().id());
      Elastic elastic = rule.elastic().orElse(null);
      if (elastic == null || node == null) {
        continue;
      }
      String problem = problem(rule, elastic, byId, ids);
      if (problem != null) {
        problems.at(node, "rule %s %s".formatted(Problems.quote(rule.id().id()), problem));
      }
    }
  }

  /** Null when there is none. */
  private static @Nullable String problem(
      Rule rule, Elastic elastic, Map<String, Rule> byId, Map<String, Node> ids) {
    String pool = elastic.pool();
    if (rule.id().id().length() > Elastic.MAX_ID_CHARS) {
      return "is elastic, so its id must have at most %d characters; shorten it"
          .formatted(Elastic.MAX_ID_CHARS);
    }
    RuleId borrowed = Elastic.borrowedId(rule.id());
    if (pool.equals(rule.id().id())) {
      return "borrows of itself; name another rule as its pool";
    }
    if (ids.containsKey(borrowed.id())) {
      return "is elastic, and counts what it borrows as %s, which is a rule in line %d; rename one"
          .formatted(Problems.quote(borrowed.id()), Problems.line(ids.get(borrowed.id())));
    }
    if (!ids.containsKey(pool)) {
      return "borrows of %s, which is no rule of this file; add it, or name another"
          .formatted(Problems.quote(pool));
    }
    Rule lender = byId.get(pool);
    if (lender == null) {
      // What is wrong with it is reported.
      return null;
    }
    if (lender.elastic().isPresent()) {
      return "borrows of %s, which borrows itself; remove elastic from one of them"
          .formatted(Problems.quote(pool));
    }
    if (lender.limit() instanceof ConcurrencyLimit) {
      return "borrows of %s, which limits how many run at a time; name one that limits permits per period"
          .formatted(Problems.quote(pool));
    }
    if (lender.enforcement() == Enforcement.PER_INSTANCE) {
      return "borrows of %s, which is per-instance; only a balanced or strict rule knows what room it has"
          .formatted(Problems.quote(pool));
    }
    if (lender.classes().size() == DemandClasses.MAX) {
      return "borrows of %s, which has %d classes; those who borrow are one more, so leave it at %d"
          .formatted(Problems.quote(pool), DemandClasses.MAX, DemandClasses.MAX - 1);
    }
    return null;
  }

  /** As in a rule file; empty for a rule that is not elastic. */
  static String text(Rule rule) {
    return rule.elastic()
        .map(
            it ->
                "{pool: %s, up-to: %s}"
                    .formatted(YamlValues.text(it.pool()), Words.percent(it.upToBasisPoints())))
        .orElse("none");
  }

  /** In plain words. */
  static String words(Elastic elastic) {
    return "up to %s of the limit for each quota key, while %s has room that others do not ask for"
        .formatted(Words.percent(elastic.upToBasisPoints()), elastic.pool());
  }
}
