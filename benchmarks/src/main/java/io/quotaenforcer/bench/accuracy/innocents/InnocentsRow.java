package io.quotaenforcer.bench.accuracy.innocents;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a case.
 *
 * @param limits the users of each limit
 * @param waits of the admitted requests of innocents, in nanoseconds
 */
public record InnocentsRow(
    @JsonUnwrapped Case of,
    long seed,
    double seconds,
    double loopMs,
    List<OfLimit> limits,
    @JsonIgnore Histogram waits,
    @JsonIgnore Histogram waitsThatWaited) {

  /**
   * The users of one limit.
   *
   * @param classes by their labels
   */
  record OfLimit(UserLimit limit, @JsonIgnore Map<String, Figures> classes) {
    @JsonAnyGetter
    Map<String, Figures> figures() {
      return classes;
    }
  }

  /** The result of a judge. */
  static InnocentsRow of(Case of, long seed, double seconds, double loopMs, Judge judge) {
    List<OfLimit> limits = new ArrayList<>();
    for (UserLimit limit : UserLimit.values()) {
      Map<String, Figures> classes = new LinkedHashMap<>();
      for (UserClass users : UserClass.values()) {
        classes.put(users.label(), judge.figures(limit, users));
      }
      limits.add(new OfLimit(limit, classes));
    }
    long[] waits = judge.waitsOfInnocents().toArray();
    return new InnocentsRow(
        of,
        seed,
        seconds,
        loopMs,
        limits,
        Times.of(Arrays.stream(waits)),
        Times.of(Arrays.stream(waits).filter(wait -> wait > 0)));
  }

  @JsonProperty("mode")
  String mode() {
    return "simulated";
  }

  /** All users of each class, whatever their limit. */
  @JsonAnyGetter
  Map<String, Figures> classes() {
    Map<String, Figures> classes = new LinkedHashMap<>();
    for (UserClass users : UserClass.values()) {
      classes.put(users.label(), figures(users));
    }
    return classes;
  }

  Figures figures(UserClass users) {
    return limits.stream()
        .map(limit -> limit.classes().getOrDefault(users.label(), Figures.NONE))
        .reduce(Figures.NONE, Figures::plus);
  }

  @JsonProperty("turnedAwayPct")
  double turnedAwayPct() {
    return figures(UserClass.INNOCENT).turnedAwayPct();
  }

  /** The waits, of cases in which callers wait. */
  @JsonUnwrapped
  @JsonProperty
  @Nullable Waits ifWaiting() {
    return of.maxWaitMs() == 0
        ? null
        : new Waits(
            Times.millis(waits, 50),
            Times.millis(waits, 99),
            100.0 * waitsThatWaited.getTotalCount() / Math.max(1, waits.getTotalCount()),
            Times.millis(waitsThatWaited, 50),
            Times.millis(waitsThatWaited, 99));
  }

  /** How long admitted requests of innocents waited, and of those that did not get it at once. */
  record Waits(
      double waitMsP50,
      double waitMsP99,
      double waitedPct,
      double waitedMsP50,
      double waitedMsP99) {}

  /** The measures that miss what they are to reach. */
  public List<Missed> missed() {
    List<Missed> missed = new ArrayList<>();
    if (of.enforcement() == Enforcement.BALANCED) {
      check(missed, "innocents.turnedAwayPct", turnedAwayPct(), Goals.BALANCED_TURNED_AWAY_PCT);
      check(
          missed,
          "abusers.openingOverLoops",
          figures(UserClass.ABUSER).overLoops(),
          Goals.BALANCED_OVER_LOOPS);
    } else {
      if (of.maxWaitMs() > 0) {
        check(missed, "innocents.turnedAwayPct", turnedAwayPct(), Goals.WAITING_TURNED_AWAY_PCT);
      }
      long over = Arrays.stream(UserClass.values()).mapToLong(users -> figures(users).over()).sum();
      check(missed, "over", over, Goals.STRICT_OVER);
    }
    return missed;
  }

  /**
   * A measure above its target.
   *
   * @param figure as it was compared
   */
  public record Missed(
      @JsonUnwrapped Case of,
      @JsonProperty("missed") String measure,
      double figure,
      double target) {}

  private void check(List<Missed> missed, String measure, double figure, double target) {
    double compared = Goals.rounded(figure);
    if (compared > target) {
      missed.add(new Missed(of, measure, compared, target));
    }
  }
}
