package io.quotaenforcer.bench.decision;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.jmh.Jmh;

/**
 * How long everything is timed, in each of the JVMs that are started for it.
 *
 * @param batches that are timed where requests must be prepared batch by batch, and as many to warm
 *     up
 */
record Effort(@JsonUnwrapped Jmh.Iterations iterations, int batches) {
  static final Effort FULL = new Effort(new Jmh.Iterations(4, 5, 500), 20);
  static final Effort QUICK = new Effort(new Jmh.Iterations(3, 2, 150), 5);
}
