package io.quotaenforcer.bench.servers;

import io.quotaenforcer.bench.moving.real.RealFleet;
import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Three servers under a steady load by one rule, of which the first becomes half as fast. */
record ServerTrial(Rule rule, Course course) {
  static final int SERVERS = 3;
  static final long SERVICE_MILLIS = 20;

  /** Requests a second that a healthy server can do. */
  static final int CAPACITY = (int) (SmallServer.WORKERS * 1_000 / SERVICE_MILLIS);

  /** Requests a second that each server gets. */
  static final int ASKED = CAPACITY * 85 / 100;

  static final Duration PATIENCE = Duration.ofMillis(500);

  /** Returns what came of each second at each server. */
  List<ServerSecond> run() throws IOException, InterruptedException {
    List<SmallServer> servers = new ArrayList<>();
    try (RealFleet fleet = RealFleet.start(SERVERS, SERVERS, List.of(rule))) {
      for (int i = 0; i < SERVERS; i++) {
        servers.add(SmallServer.start(fleet.clients().get(i), SERVICE_MILLIS));
      }
      return load(servers);
    } finally {
      servers.forEach(SmallServer::close);
    }
  }

  private List<ServerSecond> load(List<SmallServer> servers) throws InterruptedException {
    List<List<ServerSecond.Counts>> counts =
        IntStream.range(0, course.seconds())
            .mapToObj(second -> servers.stream().map(each -> new ServerSecond.Counts()).toList())
            .toList();
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    List<HttpRequest> requests =
        servers.stream()
            .map(each -> HttpRequest.newBuilder(each.address()).timeout(PATIENCE).build())
            .toList();
    long start = System.nanoTime();
    long gap = TimeUnit.SECONDS.toNanos(1) / (ASKED * (long) SERVERS);
    for (int i = 0; i < course.seconds() * ASKED * SERVERS; i++) {
      await(start + i * gap);
      int second = i / (ASKED * SERVERS);
      int server = i % SERVERS;
      servers.get(0).serveIn(course.isSlow(second) ? 2 * SERVICE_MILLIS : SERVICE_MILLIS);
      send(http, requests.get(server), counts.get(second).get(server));
    }
    await(System.nanoTime() + PATIENCE.multipliedBy(2).toNanos());
    List<ServerSecond> all = new ArrayList<>();
    for (int second = 0; second < counts.size(); second++) {
      for (int server = 0; server < SERVERS; server++) {
        all.add(counts.get(second).get(server).of(second, server));
      }
    }
    return all;
  }

  private static void send(HttpClient http, HttpRequest request, ServerSecond.Counts counts) {
    counts.sent();
    long sent = System.nanoTime();
    http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
        .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, failure) ->
                counts.answered(
                    answer == null ? 0 : answer.statusCode(),
                    failure instanceof TimeoutException
                        ? PATIENCE.toNanos()
                        : System.nanoTime() - sent));
  }

  private static void await(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a load ran");
      }
    }
  }
}
