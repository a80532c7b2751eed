package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.lab.verdict.DecisionLog;
import org.HdrHistogram.Histogram;

/**
 * The decisions of one instance in a trial. Times are of the measured windows, decisions of all.
 *
 * @param decisions stamped in epoch time
 * @param lateNanos how much later than due the instance came to its requests
 * @param tookNanos what a decision took its caller
 * @param loopNanos from report to answer
 * @param cpuNanos processor time of the thread that asks, decisions included
 */
record InstanceLog(
    DecisionLog decisions,
    Histogram lateNanos,
    Histogram tookNanos,
    Histogram loopNanos,
    long cpuNanos) {}
