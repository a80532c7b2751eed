package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.bench.accuracy.central.CentralStoreClient;
import io.quotaenforcer.bench.accuracy.central.Taken;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.enforcer.decider.Decider;
import java.time.Duration;

/** Asks the central store about each request, and waits for its answer. */
final class CentralStoreDecider implements Decider {
  private final CentralStoreClient store;
  private final Limit limit;
  private final TrueTime time;

  CentralStoreDecider(int port, Limit limit, TrueTime time) {
    store = CentralStoreClient.connect(port);
    this.limit = limit;
    this.time = time;
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    Taken taken = store.take(key, limit, request.cost());
    log.record(
        taken.atNanos() - time.offsetNanos(),
        key,
        request.cost(),
        taken.admitted() ? PermitSource.GRANTED : PermitSource.NONE,
        taken.windowStartNanos());
  }

  @Override
  public boolean awaitRules(Duration timeout) {
    return true;
  }

  @Override
  public void close() {
    store.close();
  }
}
