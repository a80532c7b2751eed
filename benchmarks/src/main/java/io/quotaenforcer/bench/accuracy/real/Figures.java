package io.quotaenforcer.bench.accuracy.real;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;

/**
 * The figures of a trial's decisions. Times are of its measured windows, counts of all.
 *
 * @param overPct admitted over the limit, of what the limit allows in all measured windows
 * @param underPct missing from what one process would have admitted of the same requests
 * @param turnedAwayPct throttled, of what an exact central counter of the same requests admits
 * @param worstOverPct over the limit in the worst window, of the limit
 * @param grantedOver permits over the limit among those that were granted, by themselves
 * @param mislabelled permits used outside the window that they belong to
 * @param lateNanos how much later than due the instances came to their requests
 * @param decideNanos what a decision took its caller
 * @param loopNanos from report to answer; none for ways that do not report
 * @param askingCpuPct processor time of the threads that ask, decisions included, of one core
 */
record Figures(
    long requests,
    long admitted,
    double overPct,
    double underPct,
    double turnedAwayPct,
    double worstOverPct,
    long grantedOver,
    long mislabelled,
    @JsonIgnore Histogram lateNanos,
    @JsonIgnore Histogram decideNanos,
    @JsonIgnore Histogram loopNanos,
    double askingCpuPct) {

  @JsonProperty("throttled")
  long throttled() {
    return requests - admitted;
  }
}
