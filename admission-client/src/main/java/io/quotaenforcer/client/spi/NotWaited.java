package io.quotaenforcer.client.spi;

/** Why a request that was to wait for permits was decided at once. */
public enum NotWaited {
  /** As many requests wait as may. */
  TOO_MANY_WAIT,
  /** The enforcer of its quota key has not answered for longer than the request may wait. */
  ENFORCER_AWAY
}
