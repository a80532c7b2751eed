package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.bench.fleet.Excess;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.verdict.CentralCounter;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges the decisions of an elastic load, told in order of time: the pool, and what a user takes
 * in all, each by the windows of the permits.
 */
public final class ElasticJudge {
  private final ElasticLoad load;
  private final long fromNanos;
  private final long periods;
  private final long[] asked = new long[ElasticLoad.USERS];
  private final long[] admitted = new long[ElasticLoad.USERS];
  private final Excess ofPool;
  private final List<Excess> ofUsers = new ArrayList<>();
  private final List<CentralCounter> exact = new ArrayList<>();
  private long mostOfAll;
  private long over;

  /**
   * @param startNanos not after the first decision
   * @param warmUp periods of which requests are not measured; what is over counts all the same
   * @param periods measured then
   */
  public ElasticJudge(ElasticLoad load, long startNanos, int warmUp, int periods) {
    this.load = load;
    this.fromNanos = startNanos + warmUp * ElasticLoad.PERIOD;
    this.periods = periods;
    ofPool = Excess.divided(load.ofPool(), startNanos);
    for (int i = 0; i < ElasticLoad.USERS; i++) {
      ofUsers.add(Excess.divided(load.ofUserInAll(), startNanos));
      exact.add(new CentralCounter(load.ofUserInAll(), startNanos));
    }
  }

  /**
   * A decision was made.
   *
   * @param askedAt when the user asked
   * @param at when it was made
   */
  public void decided(int user, Decision decision, long askedAt, long at) {
    boolean counts = askedAt >= fromNanos;
    asked[user] += counts ? 1 : 0;
    boolean fits = exact.get(user).admits(1, at);
    mostOfAll += counts && fits ? 1 : 0;
    if (!decision.admitted()) {
      return;
    }
    admitted[user] += counts ? 1 : 0;
    if (load.enforcement() != Enforcement.STRICT) {
      // Openings of a balanced rule may be over.
      return;
    }
    for (RuleDecision each : decision.rules()) {
      Excess excess = ElasticLoad.isPool(each.quotaKey().rule()) ? ofPool : ofUsers.get(user);
      over += excess.isOver(at, each.windowStartNanos()) ? 1 : 0;
    }
  }

  public ElasticRow row() {
    long allAdmitted = 0;
    long askedWithin = 0;
    long admittedWithin = 0;
    double least = 1;
    double most = 0;
    for (int user = 0; user < ElasticLoad.USERS; user++) {
      allAdmitted += admitted[user];
      if (ElasticLoad.isWithin(user)) {
        askedWithin += asked[user];
        admittedWithin += admitted[user];
      } else {
        least = Math.min(least, part(user));
        most = Math.max(most, part(user));
      }
    }
    double available = load.ofPool().permits() * (double) periods;
    return new ElasticRow(
        load.kind().label(),
        load.enforcement(),
        load.poolPart(),
        (double) admittedWithin / askedWithin,
        askedWithin - admittedWithin,
        least,
        most,
        ElasticLoad.ownLimit(),
        allAdmitted / Math.min(available, mostOfAll),
        over);
  }

  private double part(int user) {
    return (double) admitted[user] / asked[user];
  }
}
