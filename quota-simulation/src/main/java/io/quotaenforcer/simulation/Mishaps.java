package io.quotaenforcer.simulation;

import io.quotaenforcer.core.Request;
import java.util.List;

/**
 * Faults of instances and of the enforcer, each at its time. Those that hit while permits are out
 * are counted.
 */
final class Mishaps {
  private final Timeline time;
  private final SimulatedEnforcer enforcer;
  private final List<SimulatedInstance> instances;
  private final boolean enforcersAgree;
  private final FaultCounts counts;

  /**
   * @param instances by number; more may come
   * @param counts are added to
   */
  Mishaps(
      Timeline time,
      SimulatedEnforcer enforcer,
      List<SimulatedInstance> instances,
      boolean enforcersAgree,
      FaultCounts counts) {
    this.time = time;
    this.enforcer = enforcer;
    this.instances = instances;
    this.enforcersAgree = enforcersAgree;
    this.counts = counts;
  }

  void hit(Fault fault) {
    if (enforcer.isAnythingOut()) {
      counts.add(fault);
    }
  }

  /** Stops an instance at once. */
  void crash(int instance, long at) {
    time.at(
        at,
        () -> {
          hit(Fault.INSTANCE_CRASH);
          instances.get(instance).crash();
        });
  }

  /** Halts an instance, some of its threads between reading the clock and deciding. */
  void pause(int instance, String user, long at, long forNanos) {
    time.at(
        at,
        () -> {
          hit(Fault.INSTANCE_PAUSE);
          hit(Fault.PAUSE_BEFORE_TAKE);
          SimulatedInstance paused = instances.get(instance);
          paused.pause(forNanos);
          for (long later : new long[] {0, 1, 7 * LoopSimulation.MILLI}) {
            paused.decideAcrossThePause(Request.of("user", user), later);
          }
        });
  }

  /** Drops everything that the instance sends, or everything sent to it. */
  void cut(int instance, boolean sending, boolean receiving, long at, long forNanos) {
    time.at(
        at,
        () -> {
          hit(Fault.PARTITION);
          instances.get(instance).cut(sending, receiving, forNanos);
        });
  }

  /** The instance closes in order. */
  void leave(int instance, long at) {
    time.at(
        at,
        () -> {
          hit(Fault.INSTANCE_LEAVES);
          instances.get(instance).close();
        });
  }

  /** Undoes the enforcer's uncommitted work and lets another enforcer take over. */
  void crashEnforcer(long at, long downNanos, long zombieNanos, long clockErrorNanos) {
    time.at(
        at,
        () -> {
          hit(Fault.ENFORCER_CRASH);
          if (zombieNanos > 0) {
            hit(Fault.ZOMBIE);
          }
          enforcer.crash(downNanos, zombieNanos, error(clockErrorNanos));
        });
  }

  /** The enforcer ends as planned; another one takes over. */
  void handOver(long at, long retiringNanos, long downNanos, long clockErrorNanos) {
    time.at(
        at,
        () -> {
          hit(Fault.HAND_OVER);
          enforcer.handOver(retiringNanos, downNanos, error(clockErrorNanos));
        });
  }

  /** The enforcer's wall clock jumps. */
  void stepEnforcerClock(long byNanos, long at) {
    time.at(
        at,
        () -> {
          hit(Fault.CLOCK_STEP);
          enforcer.stepClock(byNanos);
        });
  }

  private long error(long clockErrorNanos) {
    return enforcersAgree ? 0 : clockErrorNanos;
  }
}
