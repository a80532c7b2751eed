package io.quotaenforcer.bench.approximation;

import java.util.Locale;

/** Which requests the counter and the exact log both count. */
enum Counted {
  /** Every request, throttled ones too: the rate at which a source asks. */
  ALL,
  /** What the counter admits: the rate at which a source is served, as an enforcer counts. */
  ADMITTED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
