package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code {permits: 2, per: 1s, algorithm: sliding-window}}. */
final class LimitReader {
  private static final List<String> KEYS = List.of("permits", "per", "algorithm", "burst");
  private static final String WHAT = "a limit must be a mapping such as {permits: 2, per: 1s}";

  private final Problems problems;
  private final Scalars scalars;

  LimitReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /** The limit of a rule. */
  @Nullable Limit read(Node node) {
    Fields fields = Fields.of(node, WHAT, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node algorithm = fields.optional("algorithm");
    String name =
        algorithm == null
            ? Words.SLIDING_WINDOW
            : scalars.word(algorithm, "algorithm", Words.ALGORITHMS);
    Node per = fields.required("per", "give the period, such as per: 1s");
    Long period = per == null ? null : scalars.period(per);
    return build(fields, name, period);
  }

  /**
   * The limit of an override: algorithm and period are those of the rule's limit, given again or
   * not, because what was counted under one limit must count under the other.
   *
   * @param ofRule null when it is wrong itself
   */
  @Nullable Limit readOverride(Node node, @Nullable Limit ofRule) {
    Fields fields = Fields.of(node, WHAT, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node algorithm = fields.optional("algorithm");
    String name = algorithm == null ? null : scalars.word(algorithm, "algorithm", Words.ALGORITHMS);
    Node per = fields.optional("per");
    Long period = per == null ? null : scalars.period(per);
    if (ofRule == null) {
      return build(fields, name, period);
    }
    String nameOfRule = Words.algorithm(ofRule);
    if (algorithm != null && name != null && !name.equals(nameOfRule)) {
      mustEqual(algorithm, "algorithm", name, nameOfRule);
    }
    if (per != null && period != null && period != ofRule.periodNanos()) {
      mustEqual(per, "per", Scalars.period(period), Scalars.period(ofRule.periodNanos()));
    }
    return build(fields, nameOfRule, ofRule.periodNanos());
  }

  /** Reads the numbers; algorithm and period are null when they are not known. */
  private @Nullable Limit build(
      Fields fields, @Nullable String algorithm, @Nullable Long periodNanos) {
    boolean bucket = Words.TOKEN_BUCKET.equals(algorithm);
    Node permitsNode = fields.required("permits", "give how many per period, such as permits: 2");
    Long permits =
        permitsNode == null
            ? null
            : scalars.permits(
                permitsNode, bucket ? "permits of a token-bucket" : "permits", bucket ? 1 : 0);
    Node burstNode = fields.optional("burst");
    Long burst = burstNode == null ? permits : scalars.permits(burstNode, "burst", 1);
    if (burstNode != null && algorithm != null && !bucket) {
      problems.at(
          burstNode,
          "burst has no meaning for " + algorithm + "; remove it, or use algorithm: token-bucket");
    }
    if (algorithm == null || periodNanos == null || permits == null || burst == null) {
      return null;
    }
    try {
      return Words.limit(algorithm, permits, periodNanos, burst);
    } catch (IllegalArgumentException e) {
      Node where = burstNode == null ? fields.node() : burstNode;
      problems.at(where, "burst " + e.getMessage() + "; choose a smaller burst or rounder numbers");
      return null;
    }
  }

  private void mustEqual(Node node, String what, String actual, String expected) {
    problems.at(
        node,
        what
            + " of an override must be that of the rule, not "
            + actual
            + "; use "
            + expected
            + ", or leave it out");
  }
}
