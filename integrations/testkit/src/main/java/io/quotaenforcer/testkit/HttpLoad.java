package io.quotaenforcer.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** HTTP requests to services, and how often each status was the answer. Safe for any thread. */
public final class HttpLoad {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * Sends one request, with its path as it stands.
   *
   * @param headers names and values in turn
   */
  public HttpResponse<String> get(int port, String rawPath, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + rawPath)).timeout(TIMEOUT);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(rawPath, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("was interrupted", e);
    }
  }

  /**
   * Sends the same request many times, by turns to each port, from many threads.
   *
   * @param times to each port
   * @return how often each status was the answer
   */
  public Map<Integer, Integer> get(List<Integer> ports, String rawPath, int times, int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Integer>> requests = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        ports.forEach(port -> requests.add(() -> get(port, rawPath).statusCode()));
      }
      Map<Integer, Integer> statuses = new TreeMap<>();
      for (Future<Integer> answer : pool.invokeAll(requests)) {
        statuses.merge(answer.get(), 1, Integer::sum);
      }
      return statuses;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("was interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request has no answer", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
