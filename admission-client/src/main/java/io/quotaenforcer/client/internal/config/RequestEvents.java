package io.quotaenforcer.client.internal.config;

import java.util.Locale;

/** Which decisions a client also emits as request events, marked as counted by the client. */
public enum RequestEvents {
  NONE,
  /** A share of them, see {@code request.events.sample.rate}. */
  SAMPLED,
  ALL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
