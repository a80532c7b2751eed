package io.quotaenforcer.gateway;

import java.time.Duration;

/** The first step of ending: load balancers are told, and have some time to hear it. */
final class Drain implements AutoCloseable {
  private final GatewayHealth health;
  private final Duration time;

  Drain(GatewayHealth health, Duration time) {
    this.health = health;
    this.time = time;
  }

  @Override
  public void close() throws InterruptedException {
    health.end();
    Thread.sleep(time.toMillis());
  }
}
