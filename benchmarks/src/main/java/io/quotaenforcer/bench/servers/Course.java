package io.quotaenforcer.bench.servers;

import java.util.List;

/**
 * What happens, in seconds.
 *
 * @param healthy before one server becomes half as fast
 * @param slow while it is
 * @param after when it is as fast as before
 */
record Course(int healthy, int slow, int after) {
  static final Course FULL = new Course(10, 30, 30);
  static final Course QUICK = new Course(3, 10, 3);

  /** Time to settle, which the figures of a phase leave out. */
  private static final int SETTLES = 5;

  int seconds() {
    return healthy + slow + after;
  }

  boolean isSlow(int second) {
    return second >= healthy && second < healthy + slow;
  }

  /** The seconds while it is slow, once that has settled. */
  List<ServerSecond> settledSlow(List<ServerSecond> all) {
    return all.stream()
        .filter(each -> each.second() >= healthy + SETTLES && each.second() < healthy + slow)
        .toList();
  }

  /** The seconds after it, once that has settled. */
  List<ServerSecond> settledAfter(List<ServerSecond> all) {
    return all.stream().filter(each -> each.second() >= healthy + slow + SETTLES).toList();
  }
}
