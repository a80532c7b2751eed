package io.quotaenforcer.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.lab.process.ChildJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Asks all that tells of enforcers, again and again, and notes what each says anew. */
final class FaultWatch implements AutoCloseable {
  /** Expressions that hold of an enforcer that is not as it should be, or of one by another. */
  private static final List<String> SYMPTOMS =
      List.of(
          "up == 0",
          "quota_ready == 0",
          "quota_health{state=~\"failing|failed\"} == 1",
          "quota_partitions{phase!=\"granting\"} > 0",
          "sum(quota_tasks{kind=\"standby\"}) == 0",
          "quota_uncommitted_age_seconds > 2");

  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*");
  private static final Duration ANSWER = Duration.ofSeconds(1);
  private static final long LOOK_MILLIS = 200;

  /** Where something is told. */
  enum Channel {
    HEALTH,
    LOG,
    METRICS,
    ALERT,
    CONSOLE
  }

  /**
   * Something that was told.
   *
   * @param who the enforcer that it is of, or whose page it is on
   * @param seconds after the fault
   */
  record Told(Channel channel, String who, double seconds, String text) {}

  /** Says what there is to see now, by whom or what it is of. */
  private interface Look {
    Map<String, String> now() throws Exception;
  }

  private final WatchedSite site;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER).build();
  private final ScheduledExecutorService looks = Executors.newScheduledThreadPool(8);
  private final List<Told> told = new ArrayList<>();
  private final Map<String, String> last = new HashMap<>();
  private final Map<Channel, Map<ChildJvm, Integer>> read = new HashMap<>();
  private final List<Browser> consoles = new ArrayList<>();
  private String fault = "";
  private long beganNanos = System.nanoTime();
  private int pictures;

  FaultWatch(WatchedSite site, List<Browser> consoles) {
    this.site = site;
    this.consoles.addAll(consoles);
    for (int i = 0; i < 2; i++) {
      int index = i;
      every(() -> note(Channel.HEALTH, () -> Map.of(WatchedSite.name(index), health(index))));
      every(() -> log(index));
      every(() -> note(Channel.CONSOLE, () -> console(index)));
    }
    every(() -> note(Channel.METRICS, this::symptoms));
    every(() -> note(Channel.ALERT, this::alerts));
  }

  private void every(Callable<?> look) {
    looks.scheduleWithFixedDelay(
        () -> {
          try {
            look.call();
          } catch (Exception e) {
            // What cannot be asked now is asked again.
            return;
          }
        },
        0,
        LOOK_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  /** A fault begins now. */
  synchronized void begin(String name) {
    fault = name;
    pictures = 0;
    told.clear();
    beganNanos = System.nanoTime();
  }

  double seconds() {
    return (System.nanoTime() - beganNanos) / 1e9;
  }

  synchronized List<Told> told() {
    return told.stream().sorted(Comparator.comparingDouble(Told::seconds)).toList();
  }

  private boolean note(Channel channel, Look look) throws Exception {
    Map<String, String> now = look.now();
    List<String> news = new ArrayList<>();
    synchronized (this) {
      now.forEach(
          (who, text) -> {
            String kind = NUMBER.matcher(text).replaceAll("#");
            if (!kind.equals(last.put(channel + who, kind))) {
              told.add(new Told(channel, who, seconds(), text));
              news.add(text);
            }
          });
    }
    return !news.isEmpty();
  }

  private String health(int index) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + site.probe(index) + "/health/ready"))
            .timeout(ANSWER)
            .build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      return response.statusCode() + " " + response.body().strip();
    } catch (HttpConnectTimeoutException e) {
      return "no connection within 1 s";
    } catch (HttpTimeoutException e) {
      return "no answer within 1 s";
    } catch (java.io.IOException e) {
      return "connection refused";
    }
  }

  private synchronized boolean log(int index) {
    ChildJvm jvm = site.process(index);
    Map<ChildJvm, Integer> lines = read.computeIfAbsent(Channel.LOG, any -> new HashMap<>());
    List<String> all = jvm.err();
    for (String line : all.subList(lines.getOrDefault(jvm, 0), all.size())) {
      told.add(new Told(Channel.LOG, WatchedSite.name(index), seconds(), site.named(line)));
    }
    lines.put(jvm, all.size());
    return true;
  }

  private Map<String, String> symptoms() throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (String symptom : SYMPTOMS) {
      List<String> series = new ArrayList<>();
      for (JsonNode one : site.prometheus().query(symptom)) {
        String who = site.named(one.at("/metric/instance").asText("all"));
        String phase = one.at("/metric/phase").asText(one.at("/metric/state").asText(""));
        series.add((who + " " + phase).strip() + ": " + one.at("/value/1").asText());
      }
      all.put(symptom, series.isEmpty() ? "" : symptom + " (" + String.join("; ", series) + ")");
    }
    return all;
  }

  private Map<String, String> alerts() throws Exception {
    Map<String, String> all = new TreeMap<>();
    synchronized (this) {
      last.keySet().stream()
          .filter(key -> key.startsWith(Channel.ALERT.name()))
          .forEach(key -> all.put(key.substring(Channel.ALERT.name().length()), ""));
    }
    for (JsonNode one : site.prometheus().alerts()) {
      String name = one.at("/labels/alertname").asText();
      String who = site.named(one.at("/labels/instance").asText(""));
      all.put(
          name + who,
          "%s %s: %s"
              .formatted(
                  name,
                  one.path("state").asText(),
                  site.named(one.at("/annotations/summary").asText())));
    }
    return all;
  }

  private Map<String, String> console(int index) {
    Browser browser = consoles.get(index);
    List<String> parts = new ArrayList<>();
    String trouble = browser.text("#trouble");
    if (!trouble.isEmpty()) {
      parts.add(trouble);
    }
    parts.addAll(browser.rows("Enforcers", 3));
    Map<String, String> now =
        Map.of("page of " + WatchedSite.name(index), site.named(String.join(" | ", parts)));
    String name;
    synchronized (this) {
      String kind = NUMBER.matcher(String.join("", now.values())).replaceAll("#");
      if (fault.isEmpty()
          || kind.equals(last.get(Channel.CONSOLE + "page of " + WatchedSite.name(index)))) {
        return now;
      }
      pictures++;
      name = "%s-%02d-%s".formatted(fault, pictures, WatchedSite.name(index));
    }
    browser.picture(name);
    return now;
  }

  @Override
  public void close() throws InterruptedException {
    looks.shutdownNow();
    looks.awaitTermination(20, TimeUnit.SECONDS);
  }
}
