package io.quotaenforcer.bench.central;

import io.quotaenforcer.bench.central.Pace.InBatches;
import io.quotaenforcer.bench.central.Pace.OneByOne;
import io.quotaenforcer.bench.central.Pace.Pipelined;
import java.util.List;

/**
 * One way to decide.
 *
 * @param ours whether by an admission client
 * @param compared whether its times are what a caller has to wait at least
 */
record CentralCase(String name, boolean ours, boolean compared, Pace pace) {

  /** One after the other, and many at once. */
  static List<CentralCase> of(RedisLimiter limiter) {
    return List.of(
        new CentralCase(
            limiter.name(),
            false,
            true,
            new OneByOne(user -> limiter.tryAcquire(Users.name(user)))),
        new CentralCase(
            limiter.name(), false, false, new Pipelined(user -> limiter.ask(Users.name(user)))));
  }

  static List<CentralCase> of(LocalDecisions local) {
    return List.of(
        ours("client: handle", new InBatches(local::byHandle)),
        ours("client: decide, a request that is there", new InBatches(local::byRequest)),
        ours("client: decide, a request that is there", new OneByOne(local::byRequest)),
        ours("client: decide, a new request", new InBatches(local::byNewRequest)));
  }

  private static CentralCase ours(String name, Pace pace) {
    return new CentralCase(name, true, true, pace);
  }
}
