package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Overrides;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads one rule, with the defaults of the rule language. */
final class RuleReader {
  private static final List<String> KEYS =
      List.of(
          "id",
          "match",
          "key",
          "limit",
          "tolerance",
          "enforcement",
          "opening",
          "over-limit",
          "deferral",
          "on-unavailable",
          "mode",
          "overrides");

  private final Problems problems;
  private final Scalars scalars;

  RuleReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /** The rule; null when something in it is wrong, which is reported. */
  @Nullable Rule read(Fields fields, RuleId id) {
    int before = problems.count();
    fields.only(KEYS);
    Node matchNode = fields.optional("match");
    Map<String, Matcher> match =
        matchNode == null ? Map.of() : new MatchReader(problems).read(matchNode);
    Node keyNode = fields.optional("key");
    RuleKey key = keyNode == null ? RuleKey.of() : new KeyReader(problems).read(keyNode, match);
    Node limitNode = fields.required("limit", "give one such as limit: {permits: 2, per: 1s}");
    Limit limit = limitNode == null ? null : new LimitReader(problems).read(limitNode);
    Node toleranceNode = fields.optional("tolerance");
    Integer tolerance =
        toleranceNode == null ? Integer.valueOf(0) : scalars.tolerance(toleranceNode);
    Enforcement enforcement =
        constant(fields, "enforcement", Enforcement.values(), Enforcement.BALANCED);
    Opening opening = opening(fields, enforcement);
    OverLimit overLimit = new OverLimitReader(problems).read(fields, enforcement);
    OnUnavailable onUnavailable = onUnavailable(fields, enforcement);
    Mode mode = constant(fields, "mode", Mode.values(), Mode.ENFORCE);
    Node overridesNode = fields.optional("overrides");
    List<RuleOverride> overrides =
        overridesNode == null
            ? List.of()
            : new OverrideReader(problems).read(overridesNode, key, limit);
    if (problems.count() > before
        || key == null
        || limit == null
        || tolerance == null
        || enforcement == null
        || opening == null
        || overLimit == null
        || onUnavailable == null
        || mode == null) {
      return null;
    }
    try {
      return new Rule(
          id,
          match,
          key,
          limit,
          tolerance,
          enforcement,
          overLimit,
          onUnavailable,
          mode,
          opening,
          Overrides.of(overrides),
          0,
          0);
    } catch (IllegalArgumentException e) {
      problems.at(
          toleranceNode == null ? fields.node() : toleranceNode,
          "the limit with its tolerance " + e.getMessage() + "; choose a smaller tolerance");
      return null;
    }
  }

  private @Nullable Opening opening(Fields fields, @Nullable Enforcement enforcement) {
    Node node = fields.optional("opening");
    if (node == null) {
      return Opening.WHOLE;
    }
    if (enforcement != null && enforcement != Enforcement.BALANCED) {
      problems.at(
          node, "opening is for balanced rules; leave it out, or use enforcement: balanced");
      return null;
    }
    return scalars.opening(node);
  }

  private @Nullable OnUnavailable onUnavailable(Fields fields, @Nullable Enforcement enforcement) {
    boolean strict = enforcement == Enforcement.STRICT;
    OnUnavailable onUnavailable =
        constant(
            fields,
            "on-unavailable",
            OnUnavailable.values(),
            strict ? OnUnavailable.DENY : OnUnavailable.LOCAL);
    Node node = fields.optional("on-unavailable");
    if (strict && node != null && onUnavailable != null && onUnavailable != OnUnavailable.DENY) {
      problems.at(
          node,
          "enforcement: strict implies on-unavailable: deny, not "
              + Words.of(onUnavailable)
              + "; use deny, or leave it out");
    }
    return onUnavailable;
  }

  private <E extends Enum<E>> @Nullable E constant(
      Fields fields, String name, E[] constants, E otherwise) {
    Node node = fields.optional(name);
    return node == null ? otherwise : scalars.constant(node, name, constants);
  }
}
