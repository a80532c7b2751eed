package io.quotaenforcer.bench.servers;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One limit, in figures of a second and a server.
 *
 * @param limit in words
 * @param slowedGood answers in time of the server that is half as fast, while it is
 * @param slowedP99Millis the longest second's, then
 * @param othersGood answers in time of the others meanwhile
 * @param othersThrottled requests that they threw back meanwhile
 * @param afterGood answers in time of the first server once it is as fast as before
 * @param seconds all of them
 */
record ServersRow(
    String limit,
    double slowedGood,
    double slowedP99Millis,
    double othersGood,
    double othersThrottled,
    double afterGood,
    List<ServerSecond> seconds) {

  static ServersRow of(String limit, Course course, List<ServerSecond> seconds) {
    List<ServerSecond> slow = course.settledSlow(seconds);
    Predicate<ServerSecond> first = each -> each.server() == 0;
    return new ServersRow(
        limit,
        mean(slow, first, false),
        slow.stream().filter(first).mapToDouble(ServerSecond::p99Millis).max().orElse(0),
        mean(slow, first.negate(), false),
        mean(slow, first.negate(), true),
        mean(course.settledAfter(seconds), first, false),
        seconds);
  }

  private static double mean(
      List<ServerSecond> of, Predicate<ServerSecond> which, boolean throttled) {
    return of.stream()
        .filter(which)
        .mapToInt(each -> throttled ? each.throttled() : each.good())
        .average()
        .orElse(0);
  }

  static String head() {
    return "%-30s %12s %12s %12s %16s %12s"
        .formatted(
            "limit", "slowed good", "p99 ms", "others good", "others throttled", "after good");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-30s %12.1f %12.0f %12.1f %16.2f %12.1f",
        limit,
        slowedGood,
        slowedP99Millis,
        othersGood,
        othersThrottled,
        afterGood);
  }
}
