package io.quotaenforcer.bench.decision;

import com.fasterxml.jackson.annotation.JsonValue;

/** The kind of decision asked of a limiter. */
enum Group {
  ONE_KEY("one key", false),
  ONE_REQUEST("one request", false),
  MANY_KEYS("100,000 keys at random", false),
  LAYERED("3 layered rules, 100,000 keys at random", false),
  THROTTLED("throttled", false),
  NEW_KEY("key not seen before", true),
  EVENT("request event", true),
  HTTP("HTTP request, its headers set", false);

  private final String title;
  private final boolean batches;

  Group(String title, boolean batches) {
    this.title = title;
    this.batches = batches;
  }

  @JsonValue
  String title() {
    return title;
  }

  /** Whether each request needs something prepared, so that requests are timed in batches. */
  boolean isInBatches() {
    return batches;
  }
}
