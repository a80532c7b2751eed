package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.instance.InstanceLog;
import io.quotaenforcer.bench.accuracy.instance.RealPolicy;
import io.quotaenforcer.bench.accuracy.instance.Trial;
import java.util.List;

/** All instances of some trials. One thread at a time. */
interface Fleet extends AutoCloseable {

  /** Gets ready to decide by the policy of a trial. */
  void prepare(Trial trial) throws InterruptedException;

  /**
   * Runs a trial to its end.
   *
   * @return a log per instance
   */
  List<InstanceLog> run(Trial trial, long startEpochNanos) throws InterruptedException;

  @Override
  void close();

  /**
   * What trials must share to be run by one fleet: what others have open would disturb them. Where
   * each instance has a JVM, starting them takes so long that all share one.
   *
   * @param warmUp the policy that takes longest to warm up
   */
  record Kind(Trial.Jvms jvms, RealPolicy warmUp) {
    static Kind of(Trial trial) {
      boolean allotments = trial.jvms() == Trial.Jvms.OWN || trial.policy().isAllotment();
      boolean counting = trial.policy() == RealPolicy.DELAYED_COUNT;
      return new Kind(
          trial.jvms(),
          allotments
              ? RealPolicy.ALLOTMENT_STRICT
              : counting ? RealPolicy.DELAYED_COUNT : RealPolicy.CENTRAL_STORE);
    }
  }
}
