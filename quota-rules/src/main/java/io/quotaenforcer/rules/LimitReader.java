package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code {permits: 2, per: 1s, algorithm: sliding-window}}. */
final class LimitReader {
  private static final List<String> KEYS = Spelling.names(LimitFields.SPELLINGS);

  private static final String WHAT = "a limit must be a mapping such as {permits: 2, per: 1s}";

  private final Problems problems;
  private final Scalars scalars;
  private final PeriodReader periods;
  private final LimitTermsReader terms;
  private final SlotLimitReader slots;

  LimitReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
    this.periods = new PeriodReader(problems);
    this.terms = new LimitTermsReader(problems);
    this.slots = new SlotLimitReader(problems);
  }

  /** The limit of a rule. */
  @Nullable Limit read(Node node) {
    Fields fields = Fields.of(node, WHAT, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    if (isOfSlots(fields)) {
      return slots.read(fields, null);
    }
    refuseMaxHold(fields);
    Node perNode = fields.required("per", "give the period, such as per: 1s");
    Windows windows = perNode == null ? null : periods.read(perNode, fields.optional("zone"));
    Algorithm algorithm = fields.value("algorithm", byDefault(windows), this::algorithm);
    if (perNode != null
        && algorithm != null
        && algorithm != Algorithm.FIXED_WINDOW
        && windows instanceof Windows.Calendar) {
      problems.at(
          perNode,
          "a period of the calendar needs algorithm: fixed-window, not %s; use a number and ms, s, m, h or d, such as 1d"
              .formatted(Words.of(algorithm)));
      windows = null;
    }
    refuseOthers(fields, algorithm);
    return build(fields, terms.read(fields, algorithm, windows, null));
  }

  /**
   * The limit of an override. Its way of counting is the rule's own, repeated or not, since counts
   * under one limit must remain valid under the other.
   *
   * @param ofRule null if it is wrong itself
   */
  @Nullable Limit readOverride(Node node, @Nullable Limit ofRule) {
    Fields fields = Fields.of(node, WHAT, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    if (ofRule == null) {
      terms.read(fields, null, null, null);
      return null;
    }
    if (ofRule instanceof ConcurrencyLimit ofSlots) {
      return slots.read(fields, ofSlots);
    }
    Node concurrent = fields.optional(LimitFields.CONCURRENT);
    if (concurrent != null) {
      problems.at(
          concurrent,
          "an override must count as its rule does, %s; give permits instead of concurrent"
              .formatted(LimitFields.text(ofRule)));
      return null;
    }
    refuseMaxHold(fields);
    LimitTerms rule = ofRule.terms();
    refuseOthers(fields, rule.algorithm());
    Node algorithmNode = fields.optional("algorithm");
    Algorithm given = fields.value("algorithm", rule.algorithm(), this::algorithm);
    if (algorithmNode != null && given != null && given != rule.algorithm()) {
      problems.mustBeAsInRule(
          algorithmNode, "algorithm", Words.of(given), Words.of(rule.algorithm()));
    }
    periods.checkOverride(fields.optional("per"), fields.optional("zone"), rule.windows());
    Limit limit = build(fields, terms.read(fields, rule.algorithm(), rule.windows(), rule));
    if (limit != null && !limit.countsAlike(ofRule)) {
      Node slots = fields.optional("slots");
      Node refill = fields.optional("refill");
      Node where = slots != null ? slots : refill != null ? refill : fields.node();
      problems.at(
          where,
          "an override must count as its rule does, %s; leave out what is not permits, burst or initial"
              .formatted(LimitFields.text(ofRule)));
      return null;
    }
    return limit;
  }

  private static Algorithm byDefault(@Nullable Windows windows) {
    return windows instanceof Windows.Calendar ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW;
  }

  private @Nullable Algorithm algorithm(Node node, String what) {
    if (Words.of(Algorithm.CONCURRENCY).equals(scalars.text(node, what))) {
      problems.at(
          node,
          "algorithm: concurrency has no permits per period; write {concurrent: 20, max-hold: 60s}"
              + " instead");
      return null;
    }
    return scalars.constant(node, what, LimitFields.PER_PERIOD);
  }

  /** Also one that lacks how many, or has it misspelt. */
  private static boolean isOfSlots(Fields fields) {
    boolean hasPeriod = fields.optional("permits") != null || fields.optional("per") != null;
    return fields.optional(LimitFields.CONCURRENT) != null
        || (fields.optional(LimitFields.MAX_HOLD) != null && !hasPeriod);
  }

  private void refuseMaxHold(Fields fields) {
    Node node = fields.optional(LimitFields.MAX_HOLD);
    if (node != null) {
      problems.at(
          node,
          "max-hold is for limits of requests that run at a time; remove it, or write"
              + " {concurrent: 20, max-hold: 60s}");
    }
  }

  private void refuseOthers(Fields fields, @Nullable Algorithm algorithm) {
    for (LimitFields.Term term : LimitFields.TERMS) {
      String name = term.spelling().name();
      Node node = fields.optional(name);
      if (node != null && algorithm != null && !term.algorithms().contains(algorithm)) {
        problems.at(
            node,
            "%s has no meaning for %s; remove it, or use algorithm: %s"
                .formatted(name, Words.of(algorithm), Words.of(term.algorithms().get(0))));
      }
    }
  }

  private @Nullable Limit build(Fields fields, @Nullable LimitTerms read) {
    if (read == null) {
      return null;
    }
    try {
      return read.toLimit();
    } catch (IllegalArgumentException e) {
      Node burst = fields.optional("burst");
      Node slots = fields.optional("slots");
      Node where = burst != null ? burst : slots != null ? slots : fields.node();
      String remedy =
          slots != null
              ? "; choose a number that divides the period evenly"
              : "; choose a smaller burst or rounder numbers";
      problems.at(where, (slots != null ? "slots " : "burst ") + e.getMessage() + remedy);
      return null;
    }
  }
}
