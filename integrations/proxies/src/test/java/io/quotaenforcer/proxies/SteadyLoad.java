package io.quotaenforcer.proxies;

import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Clients that go on asking, and what they see. Safe for any thread. */
final class SteadyLoad implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration BETWEEN = Duration.ofMillis(4);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService pool;
  private volatile boolean ended;
  private Map<String, Integer> seen = new TreeMap<>();
  private long slowestNanos;

  private SteadyLoad(List<String> targets, int threadsEach) {
    this.pool = Executors.newFixedThreadPool(targets.size() * threadsEach);
    for (String target : targets) {
      for (int i = 0; i < threadsEach; i++) {
        pool.execute(() -> ask(target));
      }
    }
  }

  /**
   * Starts to ask.
   *
   * @param targets a port and path each: {@code 8000/page}
   */
  static SteadyLoad start(List<String> targets, int threadsEach) {
    return new SteadyLoad(targets, threadsEach);
  }

  private void ask(String target) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target)).timeout(TIMEOUT).build();
    String path = target.substring(target.indexOf('/'));
    while (!ended) {
      long begun = System.nanoTime();
      String outcome = send(request);
      if (outcome != null) {
        count(path + " " + outcome, System.nanoTime() - begun);
      }
      Wait.pause(BETWEEN);
    }
  }

  private @Nullable String send(HttpRequest request) {
    try {
      HttpResponse<Void> answer = client.send(request, HttpResponse.BodyHandlers.discarding());
      return answer.statusCode() + how(answer);
    } catch (IOException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A gateway that does not know the rules admits without counting. */
  private static String how(HttpResponse<Void> answer) {
    if (answer.headers().firstValue("X-Quota-Unchecked").isPresent()) {
      return " unchecked";
    }
    return answer.headers().firstValue("RateLimit-Policy").isPresent() ? "" : " uncounted";
  }

  private synchronized void count(String outcome, long nanos) {
    seen.merge(outcome, 1, Integer::sum);
    slowestNanos = Math.max(slowestNanos, nanos);
  }

  /** The outcomes seen since the last call. */
  synchronized Seen take() {
    Seen taken = new Seen(seen, TimeUnit.NANOSECONDS.toMillis(slowestNanos));
    seen = new TreeMap<>();
    slowestNanos = 0;
    return taken;
  }

  /** Lets the clients ask for some time. */
  Seen during(Duration time) {
    take();
    Wait.pause(time);
    return take();
  }

  /** How often something was seen since it was asked last, without asking. */
  synchronized int soFar(String outcome) {
    return seen.getOrDefault(outcome, 0);
  }

  /**
   * Answers by path and status, and the longest time one took.
   *
   * @param counts by {@code "/page 200"}
   */
  record Seen(Map<String, Integer> counts, long slowestMillis) {
    int of(String outcome) {
      return counts.getOrDefault(outcome, 0);
    }

    /** All but those that the outcomes name. */
    Map<String, Integer> without(String... outcomes) {
      List<String> known = new ArrayList<>(List.of(outcomes));
      return counts.entrySet().stream()
          .filter(each -> !known.contains(each.getKey()))
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public String toString() {
      return counts + ", the slowest " + slowestMillis + " ms";
    }
  }

  /** Returns when the last answer has come. */
  @Override
  public void close() {
    ended = true;
    pool.shutdown();
    Wait.until("the clients to end", TIMEOUT.multipliedBy(2), pool::isTerminated);
  }
}
