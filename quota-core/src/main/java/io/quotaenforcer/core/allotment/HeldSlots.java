package io.quotaenforcer.core.allotment;

/**
 * Where slots of one quota key are given back, which a request holds. One object stands for those
 * of many requests: it tells nothing of how many they are.
 */
public sealed interface HeldSlots permits SlotCell, NoSlots {
  /** Of a rule that holds nothing: there is nothing to give back. */
  HeldSlots NONE = new NoSlots();
}
