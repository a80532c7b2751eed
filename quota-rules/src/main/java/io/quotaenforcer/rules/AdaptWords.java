package io.quotaenforcer.rules;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleExplanation.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How limits follow the load, as a rule file writes it and in plain words. */
final class AdaptWords {
  private AdaptWords() {}

  /** As in a rule file; empty for a rule that follows no load. */
  static String text(Rule rule) {
    return rule.adapt().map(AdaptWords::text).orElse("");
  }

  private static String text(AdaptTerms terms) {
    String load = terms.scope() == LoadScope.SERVICE ? "" : "load: instance, ";
    return "{%ssteps: [%s], floor: %s, ceiling: %s, without-signal: %s, hold: %s}"
        .formatted(
            load,
            terms.steps().stream().map(AdaptWords::text).collect(Collectors.joining(", ")),
            Words.percent(terms.floorBasisPoints()),
            Words.percent(terms.ceilingBasisPoints()),
            Words.percent(terms.withoutSignalBasisPoints()),
            Words.period(terms.holdNanos()));
  }

  private static String text(AdaptStep step) {
    return "{when: \"%s\", for: %s, %s, recover: \"%s\"}"
        .formatted(
            step.when(),
            Words.period(step.forNanos()),
            text(step.lowering()),
            text(step.recovery()));
  }

  private static String text(Lowering lowering) {
    if (lowering instanceof Lowering.To to) {
      return "to: " + Words.percent(to.basisPoints());
    }
    return lowering instanceof Lowering.By by
        ? "by: -" + Words.percent(by.basisPoints())
        : "to: served";
  }

  private static String text(Recovery recovery) {
    if (recovery instanceof Recovery.Growing growing) {
      return "+%s per %s up to %s"
          .formatted(
              Words.percent(growing.basisPoints()),
              Words.period(growing.everyNanos()),
              Words.percent(growing.mostBasisPoints()));
    }
    Recovery.Even even = (Recovery.Even) recovery;
    return "+%s per %s"
        .formatted(Words.percent(even.basisPoints()), Words.period(even.everyNanos()));
  }

  /** In plain words, a line for each step. */
  static List<Line> lines(AdaptTerms terms) {
    List<Line> lines = new ArrayList<>();
    if (terms.scope() == LoadScope.INSTANCE) {
      lines.add(
          new Line(
              "follows load",
              "each instance follows its own, and asks nobody: others keep theirs"));
    }
    terms.steps().forEach(step -> lines.add(new Line("follows load", words(step))));
    lines.add(new Line("follows load", bounds(terms)));
    return lines;
  }

  private static String words(AdaptStep step) {
    String lasts =
        step.forNanos() == 0
            ? "as soon as %s".formatted(step.when())
            : "once %s has lasted %s".formatted(step.when(), Words.period(step.forNanos()));
    return "%s, the limit falls %s; it comes back by %s"
        .formatted(lasts, words(step.lowering()), words(step.recovery()));
  }

  private static String words(Lowering lowering) {
    if (lowering instanceof Lowering.To to) {
      return "to %s of it".formatted(Words.percent(to.basisPoints()));
    }
    if (lowering instanceof Lowering.By by) {
      return "by %s of what is in force, and again each time that this has lasted"
          .formatted(Words.percent(by.basisPoints()));
    }
    return "to somewhat less than what the service gets done, further while requests queue";
  }

  private static String words(Recovery recovery) {
    if (recovery instanceof Recovery.Growing growing) {
      return "%s of what is in force per %s, less near the bound, and up to %s far from it"
          .formatted(
              Words.percent(growing.basisPoints()),
              Words.period(growing.everyNanos()),
              Words.percent(growing.mostBasisPoints()));
    }
    Recovery.Even even = (Recovery.Even) recovery;
    return "%s of the limit per %s"
        .formatted(Words.percent(even.basisPoints()), Words.period(even.everyNanos()));
  }

  private static String bounds(AdaptTerms terms) {
    String silence =
        terms.withoutSignalBasisPoints() == terms.ceilingBasisPoints()
            ? "it stays"
            : "it stays for %s, and is at most %s then"
                .formatted(
                    Words.period(terms.holdNanos()),
                    Words.percent(terms.withoutSignalBasisPoints()));
    return "at least %s and at most %s of the limit are in force; when nobody says what the load is, %s"
        .formatted(
            Words.percent(terms.floorBasisPoints()),
            Words.percent(terms.ceilingBasisPoints()),
            silence);
  }
}
