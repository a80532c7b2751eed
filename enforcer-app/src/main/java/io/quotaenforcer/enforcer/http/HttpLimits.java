package io.quotaenforcer.enforcer.http;

import java.time.Duration;

/**
 * What clients may use of the server.
 *
 * @param requestBytes longest body
 * @param headerBytes longest line and all headers
 * @param connections of all clients together
 * @param request time to receive a request and answer it
 * @param idle time without a byte, after which a connection is closed
 * @param connectionAge after which a connection is closed, however busy
 * @param reading time to read an answer, after which the connection is closed
 * @param unreadBytes of answers that were not read yet, all together
 * @param deferredAtOnce questions about deferred requests that are worked on at a time: each keeps
 *     a page or two, of 2 MB at most
 */
record HttpLimits(
    int requestBytes,
    int headerBytes,
    int connections,
    Duration request,
    Duration idle,
    Duration connectionAge,
    Duration reading,
    long unreadBytes,
    int deferredAtOnce) {
  static HttpLimits defaults() {
    return new HttpLimits(
        16 << 10,
        8 << 10,
        500,
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        Duration.ofMinutes(5),
        Duration.ofSeconds(10),
        8 << 20,
        2);
  }

  /** A kubelet, a load balancer and a scraper or two, each with a new connection each time. */
  static HttpLimits ofProbes() {
    return new HttpLimits(
        1 << 10,
        8 << 10,
        100,
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        Duration.ofMinutes(5),
        Duration.ofSeconds(10),
        8 << 20,
        0);
  }
}
