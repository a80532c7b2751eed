package io.quotaenforcer.bench.topology;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The metrics of an enforcer, as Prometheus would read them. */
public final class EnforcerMetricsPage {
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;

  /**
   * @param address of its HTTP server
   */
  public EnforcerMetricsPage(String address) {
    this.request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build();
  }

  /** A metric, summed over its labels; 0 while nothing was counted. */
  public long sum(String name) throws IOException, InterruptedException {
    return sum(http.send(request, HttpResponse.BodyHandlers.ofString()).body(), name);
  }

  static long sum(String page, String name) {
    return page.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
