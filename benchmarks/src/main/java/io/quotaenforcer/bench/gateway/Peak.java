package io.quotaenforcer.bench.gateway;

import io.quotaenforcer.bench.gateway.load.Load;
import io.quotaenforcer.bench.gateway.served.Server;
import java.time.Duration;

/**
 * A server's throughput at full speed.
 *
 * @param cpu seconds of processor time that a thousand requests took
 */
record Peak(double perSecond, double refusedPct, long failed, Cpu cpu) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double THOUSAND = 1_000;

  /**
   * Seconds of processor time per thousand requests.
   *
   * @param beside of what the server needs: Kafka with its enforcer, or Redis
   */
  record Cpu(double server, double beside, double client) {}

  /** Processor times so far. */
  record Clock(Duration server, Duration beside, Duration client) {
    static Clock of(Server server) {
      return new Clock(
          server.processorTime().get(),
          server.besideIt().get(),
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }
  }

  /**
   * Sums up.
   *
   * @param time for which there was load
   */
  static Peak of(Load.Result result, Duration time, Clock before, Clock after) {
    return new Peak(
        result.answered() * NANOS_PER_SECOND / time.toNanos(),
        100.0 * result.refused() / Math.max(1, result.answered()),
        result.failed(),
        new Cpu(
            perThousand(before.server, after.server, result.answered()),
            perThousand(before.beside, after.beside, result.answered()),
            perThousand(before.client, after.client, result.answered())));
  }

  private static double perThousand(Duration before, Duration after, long requests) {
    return after.minus(before).toNanos() / NANOS_PER_SECOND * THOUSAND / Math.max(1, requests);
  }
}
