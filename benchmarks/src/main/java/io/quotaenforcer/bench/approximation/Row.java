package io.quotaenforcer.bench.approximation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How some requests were decided by counter and log.
 *
 * @param counted which requests both counted
 * @param scope which sources these are
 * @param letThrough requests that the counter admits and the log does not
 * @param held requests that the log admits and the counter does not
 * @param meanRateDifferencePct mean over requests of |estimate - exact| / exact, in percent, where
 *     both count the requests of the last period and the one that is decided
 * @param sourcesLetThrough sources that the log throttles at some time, and the counter never
 * @param sourcesHeld sources that the counter throttles at some time, and the log never
 */
record Row(
    String traffic,
    String counted,
    String scope,
    String limit,
    long requests,
    int sources,
    long letThrough,
    long held,
    double meanRateDifferencePct,
    int sourcesLetThrough,
    int sourcesHeld) {

  double wrongPct() {
    return percent(letThrough + held);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("traffic", traffic);
    json.put("counted", counted);
    json.put("scope", scope);
    json.put("limit", limit);
    json.put("requests", requests);
    json.put("sources", sources);
    json.put("wrongPct", wrongPct());
    json.put("letThroughPct", percent(letThrough));
    json.put("heldPct", percent(held));
    json.put("meanRateDifferencePct", meanRateDifferencePct);
    json.put("sourcesLetThrough", sourcesLetThrough);
    json.put("sourcesHeld", sourcesHeld);
    return json;
  }

  private double percent(long part) {
    return requests == 0 ? 0 : part * 100.0 / requests;
  }
}
