package io.quotaenforcer.bench.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.figures.Times;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** People who search quota keys by the API, each without a pause. */
final class Operators {
  private static final int PAGE = 200;
  private static final long SEED = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConcurrentHashMap<String, Histogram> times = new ConcurrentHashMap<>();
  private final String address;
  private final String token;
  private final int keys;

  /** One of them; asks once. */
  interface Operator {
    void ask() throws IOException, InterruptedException;
  }

  Operators(String address, String token, int keys) {
    this.address = address;
    this.token = token;
    this.keys = keys;
  }

  /** Whether there is anything to ask. */
  boolean isReady() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/health/ready")).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

  ConcurrentHashMap<String, Histogram> times() {
    return times;
  }

  /** All keys, page after page. */
  long count() throws IOException, InterruptedException {
    String after = "";
    long found = 0;
    while (true) {
      JsonNode page = search("pages", SearchRun.FILLED, after);
      JsonNode rows = page.path("keys");
      found += rows.size();
      if (!page.path("more").asBoolean()) {
        return found;
      }
      after = rows.get(rows.size() - 1).path("quotaKey").asText();
    }
  }

  /** Turns pages, and begins anew after the last one. */
  Operator reader() {
    return new Operator() {
      private String after = "";

      @Override
      public void ask() throws IOException, InterruptedException {
        JsonNode page = search("page after page", SearchRun.FILLED, after);
        JsonNode rows = page.path("keys");
        after =
            page.path("more").asBoolean()
                ? rows.get(rows.size() - 1).path("quotaKey").asText()
                : "";
      }
    };
  }

  /** Types some of the digits of a key. */
  Operator typist() {
    SplittableRandom random = new SplittableRandom(SEED);
    return () -> {
      String key = SearchRun.visitor(random.nextInt(keys));
      int typed = key.length() - random.nextInt(4);
      search("a beginning", SearchRun.FILLED + key.substring(0, typed), "");
    };
  }

  /** Asks for what is nowhere, before, among and after the keys that there are. */
  Operator stranger() {
    SplittableRandom random = new SplittableRandom(SEED);
    return () ->
        search(
            "of no key",
            switch (random.nextInt(3)) {
              case 0 -> "a/nobody/";
              case 1 -> SearchRun.FILLED + SearchRun.visitor(random.nextInt(keys)) + "x";
              default -> "z/nobody/";
            },
            "");
  }

  /** Asks on a thread of its own for as long as it holds. */
  Thread start(Operator operator, BooleanSupplier holds) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (holds.getAsBoolean()) {
                  operator.ask();
                }
              } catch (IOException e) {
                throw new IllegalStateException("a search failed", e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "operator");
    thread.start();
    return thread;
  }

  private JsonNode search(String kind, String prefix, String after)
      throws IOException, InterruptedException {
    String query =
        "prefix=%s&limit=%d%s"
            .formatted(encoded(prefix), PAGE, after.isEmpty() ? "" : "&after=" + encoded(after));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/keys?" + query))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token)
            .build();
    long start = System.nanoTime();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    long nanos = System.nanoTime() - start;
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    Histogram histogram = times.computeIfAbsent(kind, any -> Times.histogram());
    synchronized (histogram) {
      histogram.recordValue(nanos);
    }
    return MAPPER.readTree(response.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
