package io.quotaenforcer.client.spi;

/** Why a request that was to wait for permits was decided at once. */
public enum NotWaited {
  /** {@code max.waiting} requests were waiting already. */
  TOO_MANY_WAIT,
  /**
   * The enforcer of its quota key has not answered for longer than the request may wait, or Kafka
   * is away and the rules are not known.
   */
  ENFORCER_AWAY
}
