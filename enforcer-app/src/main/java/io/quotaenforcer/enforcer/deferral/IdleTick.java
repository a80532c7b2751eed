package io.quotaenforcer.enforcer.deferral;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The once-a-second check of a partition without a queue at work, as an event of the JDK's Flight
 * Recorder. Free while nothing records it.
 */
@Name(IdleTick.NAME)
@Label("Idle tick")
@Category("Quota Enforcer")
@Description("The second's look at the queues of a partition of which none is at work.")
@StackTrace(false)
public final class IdleTick extends Event {
  public static final String NAME = "io.quotaenforcer.IdleTick";

  @Label("Partition")
  private final int partition;

  public IdleTick(int partition) {
    this.partition = partition;
  }

  /** Partition of the topic of deferred requests. */
  public int partition() {
    return partition;
  }
}
