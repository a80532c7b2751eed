package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.core.RuleId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** {@code quota.deferred.waiting} of an enforcer, as Prometheus would read it. */
final class WaitingGauge {
  private static final String NAME = "quota_deferred_waiting";

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;

  /**
   * @param address of its HTTP server
   */
  WaitingGauge(String address) {
    this.request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build();
  }

  /** Requests of a rule that wait, as of the last second. */
  long waiting(RuleId rule) throws IOException, InterruptedException {
    return waiting(http.send(request, HttpResponse.BodyHandlers.ofString()).body(), rule);
  }

  /** Requests of a rule that wait, by a page of metrics. */
  static long waiting(String metrics, RuleId rule) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(NAME))
        .filter(line -> line.contains("rule=\"" + rule.id() + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
