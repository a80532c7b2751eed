package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was decided for the users of one class; counts are of requests, which cost a permit each.
 *
 * @param over admitted beyond the limit
 * @param overByOpening of these, in the first period from rest: the first, the second, ... of each
 *     user that went over its limit then
 * @param openings of users that went over their limit in the first period from rest
 * @param loopDemand what they asked in one loop, when they had reached the limit
 */
record Figures(
    long users,
    long requests,
    long admitted,
    TurnedAway turnedAway,
    long over,
    List<Long> overByOpening,
    long openings,
    long loopDemand) {
  static final Figures NONE = new Figures(0, 0, 0, TurnedAway.NONE, 0, List.of(), 0, 0);

  Figures {
    overByOpening = List.copyOf(overByOpening);
  }

  Figures plus(Figures other) {
    List<Long> byOpening = new ArrayList<>();
    for (int i = 0; i < Math.max(overByOpening.size(), other.overByOpening.size()); i++) {
      byOpening.add(at(overByOpening, i) + at(other.overByOpening, i));
    }
    return new Figures(
        users + other.users,
        requests + other.requests,
        admitted + other.admitted,
        turnedAway.plus(other.turnedAway),
        over + other.over,
        byOpening,
        openings + other.openings,
        loopDemand + other.loopDemand);
  }

  double turnedAwayPct() {
    return turnedAway.percent();
  }

  /** Of what an exact counter admits. */
  double overPct() {
    return turnedAway.allowed() == 0 ? 0 : 100.0 * over / turnedAway.allowed();
  }

  /** Over in the first period from rest, in loops of demand; 0 where nobody went over a limit. */
  double overLoops() {
    long first = overByOpening.stream().mapToLong(Long::longValue).sum();
    return loopDemand == 0 ? 0 : (double) first / loopDemand;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("users", users);
    json.put("requests", requests);
    json.put("admitted", admitted);
    json.put("allowed", turnedAway.allowed());
    json.put("turnedAway", turnedAway.turnedAway());
    json.put("turnedAwayPct", rounded(turnedAwayPct()));
    json.put("over", over);
    json.put("overPct", rounded(overPct()));
    json.put("openings", openings);
    json.put("openingLoopDemand", loopDemand);
    json.put("openingOverLoops", rounded(overLoops()));
    json.put("openingOverByTurn", overByOpening);
    return json;
  }

  static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  private static long at(List<Long> values, int index) {
    return index < values.size() ? values.get(index) : 0;
  }
}
