package io.quotaenforcer.core;

/**
 * Where slots are given back that a request holds of one quota key. The same object may stand for
 * the slots of many requests: it does not tell how many they are, or whether they were given back.
 */
public interface HeldSlots {
  /** For rules whose requests hold nothing, so that there is nothing to give back. */
  HeldSlots NONE = new HeldSlots() {};
}
