package io.quotaenforcer.client.internal;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.schemas.topic.Identity;

/**
 * One running admission client, as its parts know it.
 *
 * @param identity by which the enforcer knows it
 * @param clocks by which it tells time
 * @param telemetry hears what it does
 */
public record Instance(Identity identity, Clocks clocks, ClientTelemetry telemetry) {

  /** Its id, in reports and in the names of threads. */
  public String id() {
    return identity.instance();
  }

  /** Its monotonic clock, read now: nanoseconds from some fixed moment. */
  public long now() {
    return clocks.monotonicNanos().getAsLong();
  }
}
