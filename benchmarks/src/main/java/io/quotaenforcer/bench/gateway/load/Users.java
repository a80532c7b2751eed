package io.quotaenforcer.bench.gateway.load;

/**
 * Who asks: users of whom none is throttled, and for one request in 20 one of a few.
 *
 * @param paying those who are not throttled, from 1 to {@link #MOST}
 */
public record Users(int paying) {
  public static final int MOST = 1_000_000;

  private static final int FREE = 20;
  private static final int EVERY = 20;

  /** Spreads numbers over users; a prime, so that none is left out. */
  private static final long STRIDE = 7_368_787;

  /** How many there are. */
  int all() {
    return paying + FREE;
  }

  /** Who makes the request of this number. */
  int of(long request) {
    return request % EVERY == 0
        ? paying + (int) (request / EVERY % FREE)
        : (int) (request * STRIDE % paying);
  }

  String name(int user) {
    return "user-" + user;
  }

  String plan(int user) {
    return user < paying ? "paying" : "free";
  }
}
