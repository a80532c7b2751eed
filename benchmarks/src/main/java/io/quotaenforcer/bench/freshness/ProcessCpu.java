package io.quotaenforcer.bench.freshness;

import java.time.Duration;

/** Processor time of this process. */
final class ProcessCpu {
  private ProcessCpu() {}

  /** In steps of some milliseconds. */
  static long nanos() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(Duration::toNanos)
        .orElseThrow(() -> new IllegalStateException("this machine does not tell processor time"));
  }
}
