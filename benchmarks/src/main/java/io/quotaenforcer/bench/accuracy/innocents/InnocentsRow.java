package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a case came to.
 *
 * @param mode simulated or real
 * @param parts the users of each limit, of each class
 * @param waits of the admitted requests of innocents, in nanoseconds
 */
public record InnocentsRow(
    Case of,
    String mode,
    long seed,
    double seconds,
    double loopMs,
    Map<UserLimit, Map<UserClass, Figures>> parts,
    Histogram waits,
    Histogram waitsThatWaited) {
  /** What a judge has come to. */
  static InnocentsRow of(
      Case of, String mode, long seed, double seconds, double loopMs, Judge judge) {
    Map<UserLimit, Map<UserClass, Figures>> parts = new EnumMap<>(UserLimit.class);
    for (UserLimit limit : UserLimit.values()) {
      Map<UserClass, Figures> classes = new EnumMap<>(UserClass.class);
      for (UserClass users : UserClass.values()) {
        classes.put(users, judge.figures(limit, users));
      }
      parts.put(limit, classes);
    }
    long[] waits = judge.waitsOfInnocents().toArray();
    return new InnocentsRow(
        of,
        mode,
        seed,
        seconds,
        loopMs,
        parts,
        Times.of(Arrays.stream(waits)),
        Times.of(Arrays.stream(waits).filter(wait -> wait > 0)));
  }

  /** All users of a class, whatever their limit. */
  Figures figures(UserClass users) {
    return parts.values().stream()
        .map(part -> part.getOrDefault(users, Figures.NONE))
        .reduce(Figures.NONE, Figures::plus);
  }

  double waitMs(double percent) {
    return Times.millis(waits, percent);
  }

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
      if (of.waitMillis() > 0) {
        check(missed, "innocents.turnedAwayPct", turnedAwayPct(), Goals.WAITING_TURNED_AWAY_PCT);
      }
      long over = Arrays.stream(UserClass.values()).mapToLong(users -> figures(users).over()).sum();
      check(missed, "over", over, Goals.STRICT_OVER);
    }
    return missed;
  }

  double turnedAwayPct() {
    return figures(UserClass.INNOCENT).turnedAwayPct();
  }

  /** As an object of a JSON file. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = names();
    json.put("seconds", seconds);
    json.put("loopMs", Figures.rounded(loopMs));
    json.put("turnedAwayPct", Figures.rounded(turnedAwayPct()));
    if (of.waitMillis() > 0) {
      json.put("waitMsP50", Figures.rounded(waitMs(50)));
      json.put("waitMsP99", Figures.rounded(waitMs(99)));
      json.put("waitedPct", Figures.rounded(waitedPct()));
      json.put("waitedMsP50", Figures.rounded(Times.millis(waitsThatWaited, 50)));
      json.put("waitedMsP99", Figures.rounded(Times.millis(waitsThatWaited, 99)));
    }
    for (UserClass users : UserClass.values()) {
      json.put(users.label(), figures(users).toJson());
    }
    json.put("limits", parts.keySet().stream().sorted().map(this::toJson).toList());
    return json;
  }

  /** An object for each measure that misses what it is to reach. */
  public List<Map<String, Object>> toShortJson() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Missed each : missed()) {
      Map<String, Object> json = names();
      json.put("missed", each.measure());
      json.put("target", each.target());
      json.put("figure", each.figure());
      all.add(json);
    }
    return all;
  }

  /**
   * A measure above its target.
   *
   * @param figure as it was compared
   */
  public record Missed(String measure, double figure, double target) {}

  private double waitedPct() {
    return waits.getTotalCount() == 0
        ? 0
        : 100.0 * waitsThatWaited.getTotalCount() / waits.getTotalCount();
  }

  private Map<String, Object> names() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", of.name());
    json.put("mode", mode);
    json.put("policy", of.policy());
    json.put("enforcement", of.enforcement().name().toLowerCase(Locale.ROOT));
    json.put("maxWaitMs", of.waitMillis());
    json.put("algorithm", of.kind().label());
    json.put("instances", of.instances());
    json.put("seed", seed);
    return json;
  }

  private Map<String, Object> toJson(UserLimit limit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("limit", limit.label());
    Map<UserClass, Figures> part = parts.getOrDefault(limit, Map.of());
    for (UserClass users : UserClass.values()) {
      json.put(users.label(), part.getOrDefault(users, Figures.NONE).toJson());
    }
    return json;
  }

  private static void check(List<Missed> missed, String measure, double figure, double target) {
    double compared = Goals.rounded(figure);
    if (compared > target) {
      missed.add(new Missed(measure, compared, target));
    }
  }
}
