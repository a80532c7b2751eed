package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.fleet.Excess;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.verdict.CentralCounter;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Every decision beside an exact central counter, which is asked for each request when it comes,
 * whenever it is decided.
 */
final class Judge {
  private static final int USER_BITS = 14;

  private final Visitors visitors;
  private final User[] users;
  private long[] waits = new long[1 << 10];
  private int waitsSize;

  private static final class User {
    final CentralCounter central;
    final Excess excess;
    final Opening opening;
    final TurnedAway.Tally turnedAway = new TurnedAway.Tally();
    long requests;
    long admitted;
    long refused;
    long over;
    long openings;
    long loopDemand;
    int turn = -1;
    final List<Long> overByOpening = new ArrayList<>();

    User(Limit limit, Enforcement enforcement, long startNanos) {
      central = new CentralCounter(limit, startNanos);
      excess =
          enforcement == Enforcement.STRICT
              ? Excess.divided(limit, startNanos)
              : Excess.undivided(limit, startNanos);
      opening = new Opening(limit.periodNanos());
    }

    Figures figures() {
      return new Figures(
          1, requests, admitted, turnedAway.total(), over, overByOpening, openings, loopDemand);
    }
  }

  Judge(LimitKind kind, Enforcement enforcement, Visitors visitors, long startNanos) {
    this.visitors = visitors;
    users = new User[visitors.count()];
    for (int i = 0; i < users.length; i++) {
      users[i] = new User(visitors.limitOf(i).by(kind), enforcement, startNanos);
    }
  }

  /**
   * A request is asked; whether an exact counter admits it.
   *
   * @param loopNanos how long instances do not know of each other at about this time
   */
  boolean asked(int number, long now, double loopNanos) {
    User user = users[number];
    if (user.opening.isOpenedAt(now)) {
      user.turn++;
    }
    boolean allowed = user.central.admits(1, now);
    if (!allowed) {
      user.refused++;
      user.openings += user.opening.isFirstRefusedAt(now) ? 1 : 0;
    }
    user.loopDemand += user.opening.isUnknownAt(now, loopNanos) ? 1 : 0;
    return allowed;
  }

  /** A request is decided that was asked before. */
  void decided(
      int number, boolean allowed, boolean admitted, long windowStart, long asked, long now) {
    User user = users[number];
    user.requests++;
    user.turnedAway.add(allowed, admitted);
    if (!admitted) {
      return;
    }
    user.admitted++;
    waited(number, now - asked);
    if (user.excess.isOver(now, windowStart)) {
      user.over++;
      if (user.opening.isIn(now)) {
        while (user.overByOpening.size() <= user.turn) {
          user.overByOpening.add(0L);
        }
        user.overByOpening.set(user.turn, user.overByOpening.get(user.turn) + 1);
      }
    }
  }

  /** The figures of one class of the users of a limit. */
  Figures figures(UserLimit limit, UserClass of) {
    Figures sum = Figures.NONE;
    for (int i = 0; i < users.length; i++) {
      if (visitors.limitOf(i) == limit && classOf(i) == of) {
        sum = sum.plus(users[i].figures());
      }
    }
    return sum;
  }

  /** How long the admitted requests of innocents waited; nanoseconds. */
  LongStream waitsOfInnocents() {
    return IntStream.range(0, waitsSize)
        .mapToLong(i -> waits[i])
        .filter(wait -> classOf((int) wait & (1 << USER_BITS) - 1) == UserClass.INNOCENT)
        .map(wait -> wait >> USER_BITS);
  }

  private UserClass classOf(int number) {
    if (visitors.isAbuser(number)) {
      return UserClass.ABUSER;
    }
    return users[number].refused == 0 ? UserClass.INNOCENT : UserClass.NOW_AND_THEN;
  }

  private void waited(int number, long nanos) {
    waits = waitsSize == waits.length ? Arrays.copyOf(waits, 2 * waitsSize) : waits;
    waits[waitsSize++] = nanos << USER_BITS | number;
  }
}
