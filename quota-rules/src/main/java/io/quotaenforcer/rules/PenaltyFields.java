package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** When quota keys that keep on asking are refused everything, as a rule file has it. */
final class PenaltyFields {
  static final String PENALTY = "penalty";
  private static final String AFTER = "after";
  private static final String WITHIN = "within";
  private static final String FOR = "for";
  private static final String THEN = "then";
  private static final String UP_TO = "up-to";
  private static final List<String> KEYS = List.of(AFTER, WITHIN, FOR, THEN, UP_TO);
  private static final String EXAMPLE = "{after: 5, within: 1m, for: 10m, then: x2, up-to: 1d}";
  private static final Pattern TIMES = Pattern.compile("x([0-9]{1,4})");

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`penalty`",
              "`"
                  + EXAMPLE
                  + "`: [a quota key that keeps on asking](#penalties) is refused everything for a"
                  + " while; not with `per-instance`, `elastic`, `over-limit: defer` or"
                  + " `limit.concurrent`",
              "none"),
          new Doc(
              "`penalty.after`",
              "1 to 1,000,000 permits of throttled requests, at which a penalty starts",
              "required"),
          new Doc("`penalty.within`", "`1s` to `1d`, in which they are counted", "required"),
          new Doc("`penalty.for`", "`1s` to `7d`: how long the first penalty lasts", "required"),
          new Doc(
              "`penalty.then`",
              "`x1` to `x100`: how many times as long as the one before a further penalty in a row"
                  + " lasts",
              "`x1`"),
          new Doc(
              "`penalty.up-to`",
              "the longest penalty, from `for` to `7d`",
              "`1d`, or `for` if that is longer"));

  private PenaltyFields() {}

  static @Nullable Optional<PenaltyTerms> read(Reading reading, Node node, String name) {
    Problems problems = reading.problems();
    Fields fields = Fields.of(node, "penalty must be a mapping such as " + EXAMPLE, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    int before = problems.count();
    Optional<PenaltyTerms> terms = terms(reading, fields);
    String problem = unfit(reading);
    if (problem != null) {
      problems.at(node, "penalty is not for rules with " + problem);
    }
    return terms.isEmpty() || problems.count() > before || problem != null ? null : terms;
  }

  private static Optional<PenaltyTerms> terms(Reading reading, Fields fields) {
    Node afterNode =
        fields.required(AFTER, "say how many throttled permits bring it, such as after: 5");
    Node withinNode = fields.required(WITHIN, "say in which time, such as within: 1m");
    Node forNode = fields.required(FOR, "say how long it lasts, such as for: 10m");
    Duration most = PenaltyTerms.LONGEST;
    Long after =
        afterNode == null
            ? null
            : reading.scalars().number(afterNode, "penalty.after", 1, PenaltyTerms.MAX_AFTER);
    Long within = duration(reading, withinNode, WITHIN, PenaltyTerms.LONGEST_WITHIN);
    Long first = duration(reading, forNode, FOR, most);
    Integer factor = fields.value(THEN, 1, (node, name) -> factor(reading, node));
    if (after == null || within == null || first == null || factor == null) {
      return Optional.empty();
    }
    Node upToNode = fields.optional(UP_TO);
    Long upTo =
        upToNode == null
            ? Long.valueOf(Math.max(first, PenaltyTerms.DEFAULT_UP_TO.toNanos()))
            : upTo(reading, upToNode, first);
    return upTo == null
        ? Optional.empty()
        : Optional.of(new PenaltyTerms(after.intValue(), within, first, factor, upTo));
  }

  private static @Nullable Long duration(
      Reading reading, @Nullable Node node, String name, Duration longest) {
    return node == null
        ? null
        : reading.scalars().duration(node, "penalty." + name, PenaltyTerms.SHORTEST, longest);
  }

  private static @Nullable Long upTo(Reading reading, Node node, long first) {
    Long upTo =
        reading
            .scalars()
            .duration(node, "penalty.up-to", PenaltyTerms.SHORTEST, PenaltyTerms.LONGEST);
    if (upTo != null && upTo < first) {
      reading
          .problems()
          .at(
              node,
              "penalty.up-to must be %s at least, as long as the first penalty lasts (for); make it longer, or for shorter"
                  .formatted(Words.period(first)));
      return null;
    }
    return upTo;
  }

  private static @Nullable Integer factor(Reading reading, Node node) {
    String text = reading.scalars().text(node, "penalty.then");
    if (text == null) {
      return null;
    }
    Matcher matcher = TIMES.matcher(text);
    int factor = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    if (factor < 1 || factor > PenaltyTerms.MAX_FACTOR) {
      reading
          .problems()
          .at(
              node,
              "penalty.then must be x1 to x%d, how many times as long as the one before a further penalty lasts, not %s; use x2 for twice"
                  .formatted(PenaltyTerms.MAX_FACTOR, Problems.quote(text)));
      return null;
    }
    return factor;
  }

  /** The end of a sentence on why the rule can have none; null if it can. */
  private static @Nullable String unfit(Reading reading) {
    Limit limit = reading.ifRight(RuleFields.LIMIT);
    OverLimit overLimit = reading.ifRight(RuleFields.OVER_LIMIT);
    if (limit instanceof ConcurrencyLimit) {
      return "limit.concurrent, whose slots come back by themselves; remove it, or limit permits per period";
    }
    if (reading.ifRight(RuleFields.ENFORCEMENT) == Enforcement.PER_INSTANCE) {
      return "enforcement: per-instance, whose instances know nothing of each other; use balanced or strict";
    }
    if (overLimit != null && overLimit.defers()) {
      return "over-limit: defer, whose requests wait for their turn; use over-limit: throttle, or remove it";
    }
    return Optional.ofNullable(reading.ifRight(RuleFields.ELASTIC))
            .orElse(Optional.empty())
            .isPresent()
        ? "elastic, which lets quota keys go beyond their limit; remove one of them"
        : null;
  }

  /** As in a rule file; empty for a rule without one. */
  static String text(Rule rule) {
    return rule.penalty()
        .map(
            it ->
                "{after: %d, within: %s, for: %s, then: x%d, up-to: %s}"
                    .formatted(
                        it.after(),
                        Words.period(it.withinNanos()),
                        Words.period(it.forNanos()),
                        it.factor(),
                        Words.period(it.upToNanos())))
        .orElse("");
  }

  /** In plain words. */
  static String words(PenaltyTerms terms) {
    boolean grows = terms.factor() > 1 && terms.upToNanos() > terms.forNanos();
    String further =
        grows
            ? "%d times as long as the one before, up to %s; once a key has been without one for as long as its last one took, it begins anew"
                .formatted(terms.factor(), Words.period(terms.upToNanos()))
            : "as long as the first";
    return "a quota key that is throttled %s within %s is refused everything for %s, at all instances. A further penalty is %s. What is refused meanwhile does not prolong it"
        .formatted(
            terms.after() == 1 ? "once" : LimitWords.number(terms.after()) + " times",
            Words.period(terms.withinNanos()),
            Words.period(terms.forNanos()),
            further);
  }
}
