package io.quotaenforcer.simulation;

/** A fault, or a change, during a run. */
public enum Fault {
  MESSAGE_LOST("messageLost"),
  MESSAGE_REPEATED("messageRepeated"),
  MESSAGE_REORDERED("messageReordered"),
  /** Messages from an instance, to it, or both are lost. */
  PARTITION("partition"),
  /** Uncommitted work of the enforcer is undone. */
  ENFORCER_CRASH("enforcerCrash"),
  /** Another enforcer takes over as planned. */
  HAND_OVER("handOver"),
  /** The enforcer that was replaced goes on answering. */
  ZOMBIE("zombie"),
  INSTANCE_CRASH("instanceCrash"),
  INSTANCE_PAUSE("instancePause"),
  /** A thread stands still after it read the clock and before it takes permits. */
  PAUSE_BEFORE_TAKE("pauseBeforeTake"),
  /** An instance starts with a wrong wall clock. */
  CLOCK_SKEW("clockSkew"),
  /** The enforcer's wall clock jumps. */
  CLOCK_STEP("clockStep"),
  INSTANCE_JOINS("instanceJoins"),
  INSTANCE_LEAVES("instanceLeaves"),
  /** An instance forgets a key. */
  EVICTION("eviction"),
  RULE_CHANGE("ruleChange");

  private final String label;

  Fault(String label) {
    this.label = label;
  }

  /** Its name in reports. */
  public String label() {
    return label;
  }
}
