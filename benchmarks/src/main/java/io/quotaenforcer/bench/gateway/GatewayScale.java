package io.quotaenforcer.bench.gateway;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param warmUp of each server and way to ask, before anything is measured
 * @param seconds of each measurement
 * @param rounds of peaks, and as many at half of them
 */
record GatewayScale(WarmUp warmUp, int seconds, int rounds) {
  Duration time() {
    return Duration.ofSeconds(seconds);
  }
}
