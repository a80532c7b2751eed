package io.quotaenforcer.lab.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a demo. Requests are counted one by one; over-admission and utilisation are in
 * permits.
 *
 * @param policy allotment or delayed-count
 * @param overAdmittedStrict permits over the limit, all strict rules, keys and windows together
 * @param overAdmittedBalanced permits over the limit in the worst window of the worst key of the
 *     balanced rules
 * @param overAdmittedBalancedTotal permits over the limit, all balanced rules, keys and windows
 *     together
 * @param balancedBound the promised bound for {@code overAdmittedBalanced}: demand for its quota
 *     key in one loop
 * @param worstCase most permits possible over the limit in one window of that rule: every instance
 *     opens the key at the same moment
 * @param grantedOver granted permits over the limit
 * @param utilisationStrict admissions as a fraction of those that demand and limit allowed, strict
 *     rules
 * @param countedExactly whether the enforcer counted exactly the instances' admissions
 * @param turnedAwayPct requests throttled although an exact central counter admits them, as a share
 *     of all that it admits; for a hot key, any two counters differ in which requests they admit
 * @param innocentsTurnedAwayPct the same for keys that never ask for more than nine tenths of their
 *     limit, balanced rules; anything but 0.0 breaks the promises, unless the machine could not
 *     keep up
 * @param mislabelled admissions whose stamp lies outside the window of their permit
 * @param pace of the machine: excess that it explains breaks no promise
 * @param broken broken promises: rule, quota key, window and excess
 * @param notJudged possibly broken promises that the machine was too slow to judge
 * @param deferral outcome of the deferred requests
 */
public record DemoReport(
    String policy,
    long requests,
    long admitted,
    long throttled,
    long overAdmittedStrict,
    long overAdmittedBalanced,
    long overAdmittedBalancedTotal,
    long balancedBound,
    long worstCase,
    long grantedOver,
    double utilisationStrict,
    LoopTimes loopMs,
    boolean countedExactly,
    double turnedAwayPct,
    double innocentsTurnedAwayPct,
    long mislabelled,
    RunPace pace,
    boolean kept,
    List<String> broken,
    List<String> notJudged,
    @JsonUnwrapped DeferralFigures deferral,
    List<RuleReport> perRule) {

  public DemoReport {
    broken = List.copyOf(broken);
    notJudged = List.copyOf(notJudged);
    perRule = List.copyOf(perRule);
  }

  /**
   * The report of a run.
   *
   * @param verdicts of the run, one per rule
   * @param delayedCount of the same requests decided from a plain delayed count, in the same order
   * @param counted permits by rule, as counted by the enforcer
   * @param judgement of all of it
   */
  public static DemoReport of(
      String policy,
      List<RuleVerdict> verdicts,
      List<RuleVerdict> delayedCount,
      LoopTimes loopMs,
      RunPace pace,
      Map<RuleId, Long> counted,
      DeferralFigures deferral,
      Judgement judgement) {
    if (verdicts.size() != delayedCount.size()) {
      throw new IllegalArgumentException(
          "must have one of each per rule: verdicts="
              + verdicts.size()
              + ", delayedCount="
              + delayedCount.size());
    }
    List<RuleReport> perRule = new ArrayList<>();
    for (int i = 0; i < verdicts.size(); i++) {
      perRule.add(RuleReport.of(verdicts.get(i), delayedCount.get(i), counted, judgement));
    }
    List<RuleVerdict> strict = of(verdicts, Enforcement.STRICT);
    List<RuleVerdict> balanced = of(verdicts, Enforcement.BALANCED);
    Optional<RuleVerdict> worst =
        balanced.stream().max(Comparator.comparingLong(rule -> rule.worstOver() - rule.bound()));
    long allowed = sum(strict, RuleVerdict::allowedPermits);
    return new DemoReport(
        policy,
        sum(verdicts, RuleVerdict::requests),
        sum(verdicts, RuleVerdict::admitted),
        sum(verdicts, RuleVerdict::throttled),
        sum(strict, RuleVerdict::over),
        worst.map(RuleVerdict::worstOver).orElse(0L),
        sum(balanced, RuleVerdict::over),
        worst.map(RuleVerdict::bound).orElse(0L),
        worst.map(RuleVerdict::worstCase).orElse(0L),
        sum(verdicts, RuleVerdict::grantedOver),
        allowed == 0 ? 1 : (double) sum(strict, RuleVerdict::admittedPermits) / allowed,
        loopMs,
        perRule.stream().allMatch(RuleReport::countedExactly),
        percent(verdicts, RuleVerdict::turnedAway),
        percent(balanced, RuleVerdict::innocentsTurnedAway),
        sum(verdicts, RuleVerdict::mislabelled),
        pace,
        judgement.kept(),
        judgement.broken(),
        judgement.notJudged(),
        deferral,
        perRule);
  }

  public String toJson() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the report could not be written", e);
    }
  }

  private static List<RuleVerdict> of(List<RuleVerdict> verdicts, Enforcement enforcement) {
    return verdicts.stream().filter(v -> v.rule().enforcement() == enforcement).toList();
  }

  private static double percent(
      List<RuleVerdict> verdicts, Function<RuleVerdict, TurnedAway> part) {
    return verdicts.stream().map(part).reduce(TurnedAway.NONE, TurnedAway::plus).percent();
  }

  private static long sum(List<RuleVerdict> verdicts, ToLongFunction<RuleVerdict> figure) {
    return verdicts.stream().mapToLong(figure).sum();
  }

  /**
   * The outcome of one rule.
   *
   * @param over permits over the limit, all keys and windows together
   * @param worstOver permits over the limit in the worst window of the worst key
   * @param bound what the promise allows for {@code worstOver}: of a balanced rule what the quota
   *     key was asked for in one loop
   * @param worstCase most permits over the limit that there can be in one window
   * @param grantedOver permits over the limit among those that the enforcer granted
   * @param opened permits that instances admitted by their own count
   * @param mostOpened the same of one instance, in one period of one quota key
   * @param openingAllowed what the rule allows for {@code mostOpened}
   * @param innocentsAllowed requests for keys that never ask for more than nine tenths of their
   *     limit
   * @param delayedCountOver what instances that decide from a plain delayed count would have been
   *     over, on the same requests
   */
  public record RuleReport(
      String rule,
      String enforcement,
      long limit,
      double periodSeconds,
      long requests,
      long admitted,
      long throttled,
      long admittedPermits,
      long allowedPermits,
      long over,
      long worstOver,
      @Nullable String worstKey,
      long bound,
      long worstCase,
      long grantedOver,
      long opened,
      long mostOpened,
      long openingAllowed,
      double utilisation,
      boolean countedExactly,
      double turnedAwayPct,
      double innocentsTurnedAwayPct,
      long innocentsAllowed,
      long mislabelled,
      boolean kept,
      long delayedCountAdmitted,
      long delayedCountOver) {

    static RuleReport of(
        RuleVerdict verdict, RuleVerdict delayed, Map<RuleId, Long> counted, Judgement judgement) {
      RuleId rule = verdict.rule().id();
      return new RuleReport(
          rule.toString(),
          verdict.rule().enforcement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          verdict.rule().limit().permits(),
          verdict.rule().limit().periodNanos() / 1e9,
          verdict.requests(),
          verdict.admitted(),
          verdict.throttled(),
          verdict.admittedPermits(),
          verdict.allowedPermits(),
          verdict.over(),
          verdict.worstOver(),
          verdict.worst().map(RuleVerdict.WorstWindow::quotaKey).orElse(null),
          verdict.bound(),
          verdict.worstCase(),
          verdict.grantedOver(),
          verdict.opened().permits(),
          verdict.opened().most(),
          verdict.opened().allowed(),
          verdict.utilisation(),
          counted.getOrDefault(rule, 0L) == verdict.admittedPermits(),
          verdict.turnedAway().percent(),
          verdict.innocentsTurnedAway().percent(),
          verdict.innocentsTurnedAway().allowed(),
          verdict.mislabelled(),
          judgement.kept(rule),
          delayed.admitted(),
          delayed.over());
    }

    /** Over-admission of the delayed count as a fraction of its admissions. */
    @JsonIgnore
    public double delayedCountOverShare() {
      return delayedCountAdmitted == 0 ? 0 : (double) delayedCountOver / delayedCountAdmitted;
    }
  }
}
