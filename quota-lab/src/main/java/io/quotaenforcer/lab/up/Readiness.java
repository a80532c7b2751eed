package io.quotaenforcer.lab.up;

import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/** Waits for what says over HTTP when it is ready. */
final class Readiness {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int TIMEOUT_MILLIS = 2_000;

  private Readiness() {}

  /**
   * Returns when it is ready, or the program is to end.
   *
   * @param what in words
   * @param address host:port
   * @throws UpException if it is not ready in time
   */
  static void await(Lifecycle lifecycle, String what, String address, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!isReady(address) && !lifecycle.awaitStop(POLL)) {
      if (System.nanoTime() - deadline > 0) {
        throw new UpException(
            "%s is not ready after %d s: http://%s/health/ready says why"
                .formatted(what, atMost.toSeconds(), address));
      }
    }
  }

  private static boolean isReady(String address) {
    try {
      HttpURLConnection question =
          (HttpURLConnection)
              URI.create("http://" + address + "/health/ready").toURL().openConnection();
      question.setConnectTimeout(TIMEOUT_MILLIS);
      question.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return question.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        question.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }
}
