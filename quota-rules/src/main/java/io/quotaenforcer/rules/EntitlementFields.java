package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Limits of quota keys by data beside the rules, as a rule file has them. */
final class EntitlementFields {
  static final String LIMITS_FROM = "limits-from";
  static final String PLANS = "plans";
  private static final String ENTITLEMENTS = "entitlements";
  private static final String PERMITS = "permits";
  private static final String EXAMPLE = "{gold: {permits: 1000}}";

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`plans`",
              "`" + EXAMPLE + "`: limits that entitlements name, at most 100 in a rule",
              "none"),
          new Doc("`plans.NAME.permits`", "as of `limit`, in each period of it", "required"));

  private EntitlementFields() {}

  static @Nullable Boolean limitsFrom(Reading reading, Node node, String name) {
    if (reading.scalars().word(node, name, List.of(ENTITLEMENTS)) == null) {
      return null;
    }
    String problem = null;
    Limit limit = reading.ifRight(RuleFields.LIMIT);
    OverLimit overLimit = reading.ifRight(RuleFields.OVER_LIMIT);
    if (limit instanceof ConcurrencyLimit) {
      problem = "limit.concurrent, whose slots are not lent by data; limit permits per period";
    } else if (overLimit != null && overLimit.defers()) {
      problem =
          "over-limit: defer, whose queues go by the rule's own limit; use over-limit: throttle";
    } else if (Optional.ofNullable(reading.ifRight(RuleFields.ELASTIC))
        .orElse(Optional.empty())
        .isPresent()) {
      problem = "elastic, which is a part of the rule's own limit; remove one of them";
    }
    if (problem != null) {
      reading.problems().at(node, "limits-from is not for rules with " + problem);
      return null;
    }
    return true;
  }

  /** The plans of a rule that takes limits from data; empty for any other. */
  static @Nullable Optional<Entitlements> plans(
      Reading reading, @Nullable Node node, @Nullable Boolean limitsFrom) {
    if (node == null) {
      return limitsFrom == null
          ? null
          : limitsFrom ? Optional.of(Entitlements.NO_PLANS) : Optional.empty();
    }
    Map<String, Long> plans = read(reading, node);
    if (plans == null || limitsFrom == null) {
      return null;
    }
    if (!limitsFrom) {
      reading
          .problems()
          .at(
              node,
              "plans are for entitlements to name; add limits-from: entitlements, or remove them");
      return null;
    }
    return Optional.of(new Entitlements(plans));
  }

  private static @Nullable Map<String, Long> read(Reading reading, Node node) {
    Problems problems = reading.problems();
    Fields fields = Fields.of(node, "plans must be a mapping such as " + EXAMPLE, problems);
    if (fields == null) {
      return null;
    }
    if (fields.all().size() > Entitlements.MAX_PLANS) {
      problems.at(
          node,
          "plans must be at most %d, not %d; give single quota keys their permits instead"
              .formatted(Entitlements.MAX_PLANS, fields.all().size()));
      return null;
    }
    int before = problems.count();
    Map<String, Long> plans = new TreeMap<>();
    fields
        .all()
        .forEach(
            (name, field) -> {
              Long permits = permits(reading, name, field);
              if (permits != null) {
                plans.put(name, permits);
              }
            });
    return problems.count() == before ? plans : null;
  }

  private static @Nullable Long permits(Reading reading, String plan, Fields.Field field) {
    Problems problems = reading.problems();
    String what = "plans." + plan;
    if (!RuleId.isName(plan)) {
      problems.at(
          field.key(),
          "plan %s has other characters or length; use 1 to %d of A-Z a-z 0-9 . _ -"
              .formatted(Problems.quote(plan), RuleId.MAX_CHARS));
      return null;
    }
    Fields fields =
        Fields.of(field.value(), what + " must be a mapping such as {permits: 1000}", problems);
    if (fields == null) {
      return null;
    }
    fields.only(List.of(PERMITS));
    Node node =
        fields.required(PERMITS, "say how many, such as %s: {permits: 1000}".formatted(plan));
    if (node == null) {
      return null;
    }
    Long permits = reading.scalars().permits(node, what + "." + PERMITS, 0);
    Limit limit = reading.ifRight(RuleFields.LIMIT);
    if (permits != null && limit != null) {
      try {
        limit.withPermits(permits);
      } catch (IllegalArgumentException e) {
        problems.at(
            node,
            "%s.%s of %d is no limit of this kind, which %s; choose another number"
                .formatted(what, PERMITS, permits, e.getMessage()));
        return null;
      }
    }
    return permits;
  }

  /** As in a rule file. */
  static String limitsFrom(Rule rule) {
    return rule.entitlements().isPresent() ? ENTITLEMENTS : "";
  }

  /** As in a rule file; empty for a rule without plans. */
  static String plans(Rule rule) {
    Map<String, Long> plans = rule.entitlements().orElse(Entitlements.NO_PLANS).plans();
    return plans.isEmpty()
        ? ""
        : plans.entrySet().stream()
            .map(
                plan ->
                    "%s: {permits: %d}".formatted(YamlValues.text(plan.getKey()), plan.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  /** In plain words. */
  static String words(Entitlements entitlements) {
    String plans =
        entitlements.plans().entrySet().stream()
            .map(plan -> "%s (%s)".formatted(plan.getKey(), LimitWords.permits(plan.getValue())))
            .collect(Collectors.joining(", "));
    return "an entitlement of its own gives a quota key another number of permits"
        + (plans.isEmpty() ? "" : ", a plan: " + plans)
        + ", or exempts it. Until the enforcer has answered for the key, an instance goes by the"
        + " limit above; bounds below are those of it and of plans, and grow with a larger number";
  }
}
