package io.quotaenforcer.bench.accuracy.innocents;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.ArrayList;
import java.util.List;

/**
 * The decisions for the users of one class; counts are of requests, which cost a permit each.
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
    @JsonUnwrapped TurnedAway turnedAway,
    long over,
    @JsonProperty("openingOverByTurn") List<Long> overByOpening,
    long openings,
    @JsonProperty("openingLoopDemand") long loopDemand) {
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

  @JsonProperty("turnedAwayPct")
  double turnedAwayPct() {
    return turnedAway.percent();
  }

  /** Percentage of the permits that an exact counter admits. */
  @JsonProperty("overPct")
  double overPct() {
    return turnedAway.allowed() == 0 ? 0 : 100.0 * over / turnedAway.allowed();
  }

  /** Over in the first period from rest, in loops of demand; 0 where nobody went over a limit. */
  @JsonProperty("openingOverLoops")
  double overLoops() {
    long first = overByOpening.stream().mapToLong(Long::longValue).sum();
    return loopDemand == 0 ? 0 : (double) first / loopDemand;
  }

  private static long at(List<Long> values, int index) {
    return index < values.size() ? values.get(index) : 0;
  }
}
