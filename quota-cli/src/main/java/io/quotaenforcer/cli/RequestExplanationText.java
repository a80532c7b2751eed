package io.quotaenforcer.cli;

import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.rules.RequestExplanation;
import io.quotaenforcer.rules.RuleVerdict;
import io.quotaenforcer.rules.VerdictWords;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.List;

/** The effect of rules on a request, for a terminal. */
record RequestExplanationText(PrintWriter out) {

  /**
   * Prints the rules that match.
   *
   * @param all whether to print those that do not match, too
   */
  void print(RequestExplanation explained, boolean all) {
    ExplanationText text = new ExplanationText(out);
    List<RuleVerdict> shown = all ? explained.verdicts() : explained.matching();
    for (RuleVerdict verdict : shown) {
      text.print(
          VerdictWords.title(verdict),
          VerdictWords.lines(verdict, explained.partitions(), explained.maxInstances()));
      out.println();
    }
    if (explained.verdicts().isEmpty()) {
      out.println("there are no rules: it is admitted and not counted");
      return;
    }
    explained.notes().forEach(note -> out.println(Printable.line("note: " + note)));
    out.println(sum(explained, all));
  }

  private static String sum(RequestExplanation explained, boolean all) {
    int rules = explained.verdicts().size();
    long counted =
        explained.matching().stream()
            .filter(it -> it.outcome() instanceof RuleVerdict.Counted)
            .count();
    int matching = explained.matching().size();
    String of = "%d of %s".formatted(matching, Counted.of(rules, "rule"));
    if (explained.matching().stream().anyMatch(RequestExplanationText::isThrottledAnyway)) {
      return of + (matching == 1 ? " matches" : " match") + ": it is throttled, whatever is left";
    }
    if (explained.matching().stream()
        .anyMatch(it -> it.outcome() instanceof RuleVerdict.Unhashed)) {
      return of + (matching == 1 ? " matches" : " match") + "; of one the quota key is not known";
    }
    if (counted == 0) {
      String more = matching == 0 && !all ? "; --all says why" : "";
      return of
          + (matching == 1 ? " matches" : " match")
          + ", none limits it: it is admitted and not counted"
          + more;
    }
    return of
        + (matching == 1
            ? " matches: it is admitted while there are permits"
            : " match: it is admitted while each that counts it has permits");
  }

  private static boolean isThrottledAnyway(RuleVerdict verdict) {
    return verdict.outcome() instanceof RuleVerdict.Denied && verdict.rule().mode() == Mode.ENFORCE;
  }
}
