package io.quotaenforcer.bench.memory;

import java.time.Duration;

/** How keys were used last when their memory is counted. */
enum Liveness {
  MINUTE(
      "used within the last minute",
      "one request each, spread over 50 s: nearly all have been reported, answered, and given back"
          + " what they held; none is forgotten",
      Duration.ofSeconds(50),
      Duration.ZERO),
  BUSY(
      "used within the last second",
      "one request each, spread over 1 s, and 200 ms for answers: all hold what the enforcer has"
          + " granted",
      Duration.ofSeconds(1),
      Duration.ofMillis(200));

  private final String title;
  private final String meaning;
  private final Duration asking;
  private final Duration after;

  Liveness(String title, String meaning, Duration asking, Duration after) {
    this.title = title;
    this.meaning = meaning;
    this.asking = asking;
    this.after = after;
  }

  String title() {
    return title;
  }

  String meaning() {
    return meaning;
  }

  /** Time over which the requests are spread. */
  Duration asking() {
    return asking;
  }

  /** Time from the last of them until memory is counted. */
  Duration after() {
    return after;
  }
}
