package io.quotaenforcer.lab.runlog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The outcome of running a log. Lines and requests are counted one by one; over-admission is in
 * permits.
 *
 * @param lines unparsed + admitted + throttled + unmatched; the header of a CSV log does not count
 * @param admitted by every rule that matched
 * @param unmatched run, but not counted because no rule matched
 * @param speed how many times faster than recorded the log was run
 * @param loopLogSeconds median loop, from report to answer, in the log's time
 * @param waitLogSeconds 99th percentile of the requests' wait for the enforcer, in the log's time
 * @param oneProcessAdmitted lines that one process, deciding every line at its own time, would have
 *     admitted; to compare with {@code admitted}
 * @param turnedAway throttled lines that one process would have admitted
 * @param turnedAwayPct share of the lines that one process would have admitted
 * @param innocentsTurnedAwayPct the same for quota keys that never ask for more than nine tenths of
 *     their limit
 * @param overAdmittedStrict permits over the limit, all strict rules, keys and windows together
 * @param overAdmittedBalanced permits over the limit in the worst window of the worst key of the
 *     balanced rules
 * @param balancedBound the promised bound for {@code overAdmittedBalanced}: demand for its quota
 *     key in one loop
 * @param countedExactly whether the enforcer counted exactly the instances' admissions
 * @param judged whether any rule had a line to decide
 * @param kept whether any was judged, and no promise broken
 * @param pace of the machine: excess that it explains breaks no promise
 * @param broken broken promises: rule, quota key, window and excess
 * @param notJudged possibly broken promises that the machine was too slow to judge
 * @param unmatchedRules rules that matched hardly any line, or none, and why
 * @param topClients the busiest quota keys, by the rule that decided
 * @param unparsedLines the first unreadable lines
 */
public record LogReport(
    long lines,
    long unparsed,
    long admitted,
    long throttled,
    long unmatched,
    long speed,
    double loopLogSeconds,
    double waitLogSeconds,
    long oneProcessAdmitted,
    long turnedAway,
    double turnedAwayPct,
    double innocentsTurnedAwayPct,
    long overAdmittedStrict,
    long overAdmittedBalanced,
    long balancedBound,
    boolean countedExactly,
    boolean judged,
    boolean kept,
    RunPace pace,
    List<String> broken,
    List<String> notJudged,
    List<String> unmatchedRules,
    List<RuleReport> perRule,
    List<Client> topClients,
    List<UnparsedLine> unparsedLines) {

  public LogReport {
    broken = List.copyOf(broken);
    notJudged = List.copyOf(notJudged);
    unmatchedRules = List.copyOf(unmatchedRules);
    perRule = List.copyOf(perRule);
    topClients = List.copyOf(topClients);
    unparsedLines = List.copyOf(unparsedLines);
  }

  static LogReport of(
      Lines lines,
      TurnedAway turnedAway,
      LogOutcome outcome,
      List<Client> topClients,
      List<UnparsedLine> unparsedLines) {
    List<RuleVerdict> verdicts = outcome.verdicts();
    Optional<RuleVerdict> worst =
        verdicts.stream()
            .filter(verdict -> verdict.rule().enforcement() == Enforcement.BALANCED)
            .max(Comparator.comparingLong(verdict -> verdict.worstOver() - verdict.bound()));
    boolean judged = lines.admitted() + lines.throttled() > 0;
    return new LogReport(
        lines.unparsed() + lines.admitted() + lines.throttled() + lines.unmatched(),
        lines.unparsed(),
        lines.admitted(),
        lines.throttled(),
        lines.unmatched(),
        outcome.speed(),
        outcome.loopLogSeconds(),
        outcome.waitLogSeconds(),
        outcome.oneProcessAdmitted(),
        turnedAway.turnedAway(),
        turnedAway.percent(),
        verdicts.stream()
            .map(RuleVerdict::innocentsTurnedAway)
            .reduce(TurnedAway.NONE, TurnedAway::plus)
            .percent(),
        verdicts.stream()
            .filter(verdict -> verdict.rule().enforcement() == Enforcement.STRICT)
            .mapToLong(RuleVerdict::over)
            .sum(),
        worst.map(RuleVerdict::worstOver).orElse(0L),
        worst.map(RuleVerdict::bound).orElse(0L),
        outcome.countedExactly(),
        judged,
        judged && outcome.judgement().kept(),
        outcome.pace(),
        outcome.judgement().broken(),
        outcome.judgement().notJudged(),
        outcome.unmatched(),
        verdicts.stream().map(verdict -> RuleReport.of(verdict, outcome)).toList(),
        topClients,
        unparsedLines);
  }

  public String toJson() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the report could not be written", e);
    }
  }

  /** Outcomes of the lines. */
  record Lines(long unparsed, long admitted, long throttled, long unmatched) {}

  /** The requests of one quota key. */
  public record Client(String quotaKey, long requests, long admitted, long throttled) {}

  /** A line that could not be read, and why. */
  public record UnparsedLine(long lineNumber, String reason) {}

  /**
   * The outcome of one rule: requests are counted, all else is in permits. A request that another
   * rule has throttled is not among its requests.
   *
   * @param oneProcessAdmitted requests that one process would have admitted
   * @param over permits over the limit, all keys and windows together
   * @param worstOver permits over the limit in the worst window of the worst key
   * @param bound what the promise allows for {@code worstOver}: of a balanced rule what the quota
   *     key was asked for in one loop
   * @param worstCase most permits over the limit that there can be in one window
   * @param grantedOver permits over the limit among those that the enforcer granted
   * @param opened permits that instances admitted by their own count
   * @param mostOpened the same of one instance, in one period of one quota key
   * @param openingAllowed what the rule allows for {@code mostOpened}
   */
  public record RuleReport(
      String rule,
      String enforcement,
      long limit,
      double periodSeconds,
      long requests,
      long admitted,
      long throttled,
      long oneProcessAdmitted,
      long admittedPermits,
      long allowedPermits,
      long over,
      long worstOver,
      long bound,
      long worstCase,
      long grantedOver,
      long opened,
      long mostOpened,
      long openingAllowed,
      double utilisation,
      double turnedAwayPct,
      double innocentsTurnedAwayPct,
      long mislabelled,
      boolean kept) {

    static RuleReport of(RuleVerdict verdict, LogOutcome outcome) {
      return new RuleReport(
          verdict.rule().id().toString(),
          verdict.rule().enforcement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          verdict.rule().limit().permits(),
          verdict.rule().limit().periodNanos() / 1e9,
          verdict.requests(),
          verdict.admitted(),
          verdict.throttled(),
          outcome.oneProcess().getOrDefault(verdict.rule().id(), 0L),
          verdict.admittedPermits(),
          verdict.allowedPermits(),
          verdict.over(),
          verdict.worstOver(),
          verdict.bound(),
          verdict.worstCase(),
          verdict.grantedOver(),
          verdict.opened().permits(),
          verdict.opened().most(),
          verdict.opened().allowed(),
          verdict.utilisation(),
          verdict.turnedAway().percent(),
          verdict.innocentsTurnedAway().percent(),
          verdict.mislabelled(),
          outcome.judgement().kept(verdict.rule().id()));
    }
  }
}
