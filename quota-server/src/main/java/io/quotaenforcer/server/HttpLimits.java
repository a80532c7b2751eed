package io.quotaenforcer.server;

import java.time.Duration;

/**
 * Bounds on the clients of the server.
 *
 * @param connections of all clients together
 * @param streams requests of one connection at a time
 * @param heavyAtOnce requests in progress at once that take much memory each, where there are any
 */
public record HttpLimits(Sizes sizes, Times times, int connections, int streams, int heavyAtOnce) {
  /**
   * Bytes kept for clients.
   *
   * @param request longest body
   * @param headers longest line and all headers
   * @param unread of unread answers, all together
   */
  public record Sizes(int request, int headers, long unread) {}

  /**
   * Time that clients may take.
   *
   * @param request to send a request and have it answered
   * @param idle without a byte, after which a connection is closed
   * @param connectionAge after which a connection is closed, however busy
   * @param reading to read an answer, after which the connection is closed
   */
  public record Times(Duration request, Duration idle, Duration connectionAge, Duration reading) {}

  public static HttpLimits defaults() {
    return new HttpLimits(
        new Sizes(16 << 10, 8 << 10, 8 << 20), times(Duration.ofSeconds(15)), 500, 16, 2);
  }

  /** A kubelet, a load balancer and a scraper or two, each with a new connection each time. */
  public static HttpLimits ofProbes() {
    return new HttpLimits(
        new Sizes(1 << 10, 8 << 10, 8 << 20), times(Duration.ofSeconds(5)), 100, 16, 0);
  }

  private static Times times(Duration idle) {
    return new Times(Duration.ofSeconds(10), idle, Duration.ofMinutes(5), Duration.ofSeconds(10));
  }
}
