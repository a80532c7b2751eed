package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.Answer;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.RuleExplanation.Line;
import io.quotaenforcer.rules.RuleVerdict.Condition;
import io.quotaenforcer.rules.RuleVerdict.Counted;
import io.quotaenforcer.rules.RuleVerdict.Denied;
import io.quotaenforcer.rules.RuleVerdict.Exempt;
import java.util.ArrayList;
import java.util.List;

/** A rule's effect on a request, in plain words. */
public final class VerdictWords {
  private VerdictWords() {}

  /** The rule and the verdict. */
  public static String title(RuleVerdict verdict) {
    if (verdict.outcome() instanceof Exempt) {
      return verdict.rule().id() + " matches, but exempts the request";
    }
    if (verdict.outcome() instanceof Denied) {
      return verdict.rule().id() + " matches, and denies the request";
    }
    return verdict.rule().id() + (verdict.matches() ? " matches" : " does not match");
  }

  /**
   * The reason and the consequence.
   *
   * @param partitions of the topics
   * @param maxInstances instances that the bound was computed for
   */
  public static List<Line> lines(RuleVerdict verdict, int partitions, int maxInstances) {
    List<Line> lines = new ArrayList<>();
    for (Condition condition : verdict.conditions()) {
      if (condition.holds() == verdict.matches()) {
        lines.add(new Line(verdict.matches() ? "because" : "fails", text(condition)));
      }
    }
    if (verdict.conditions().isEmpty()) {
      lines.add(new Line("because", "it is about every request"));
    }
    if (verdict.outcome() instanceof Exempt exempt) {
      lines.add(new Line("override", LimitWords.words(exempt.override())));
    }
    if (verdict.outcome() instanceof Denied denied) {
      lines.add(new Line("quota key", denied.quotaKey().toString()));
      lines.add(new Line("override", LimitWords.words(denied.override())));
    }
    if (verdict.outcome() instanceof RuleVerdict.Unhashed unhashed) {
      lines.add(
          new Line(
              "quota key",
              "not known: the rule hashes %s, and there is no key to do so"
                  .formatted(unhashed.attribute())));
    }
    if (verdict.outcome() instanceof Counted counted) {
      addCounted(lines, verdict.rule(), counted, partitions, maxInstances);
    }
    return lines;
  }

  private static void addCounted(
      List<Line> lines, Rule rule, Counted counted, int partitions, int maxInstances) {
    Rule effective = rule.withLimit(counted.limit());
    lines.add(new Line("quota key", counted.quotaKey().toString()));
    lines.add(new Line("partition", counted.partition() + " of 0 to " + (partitions - 1)));
    lines.add(new Line("limit", new LimitWords(effective).limit()));
    if (!counted.demandClass().isEmpty()) {
      lines.add(new Line("class", counted.demandClass()));
    }
    counted.override().ifPresent(it -> lines.add(new Line("override", override(rule, it))));
    if (rule.mode() == Mode.SHADOW || rule.overLimit().defers()) {
      lines.add(new Line("over it", DeferralWords.over(rule)));
    }
    BoundWords bounds = new BoundWords(effective, maxInstances, counted.bound());
    lines.add(new Line("enforcement", Words.of(rule.enforcement())));
    lines.add(new Line("bound", bounds.connected()));
    lines.add(new Line("bound away", bounds.away()));
  }

  private static String override(Rule rule, RuleOverride override) {
    return "%s holds instead of the rule's %s"
        .formatted(YamlValues.match(override.key()), LimitWords.words(rule.limit()));
  }

  private static String text(Condition condition) {
    return "%s; the request has %s%s"
        .formatted(
            condition.text(),
            condition.value().map(MatchWords::quoted).orElse("none"),
            condition.answer() == Answer.GIVEN_UP
                ? ", which is too long for the expression, or takes it too many steps: it counts as met"
                : "");
  }
}
