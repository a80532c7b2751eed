package io.quotaenforcer.testkit;

import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The trial that every HTTP adapter must pass: two services with it, each a process, under the same
 * rules, while Kafka is killed and comes back. They count by the attributes {@code ip} and {@code
 * path}, answer 200 on any path, and let a request wait for two seconds.
 */
public final class AdapterTrial implements AutoCloseable {
  /** The text that a service prints before its port. */
  public static final String LISTENS = "listens on ";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: all, match: {path: /all}, key: [path], enforcement: strict,
           limit: {permits: 500, per: 30d, algorithm: fixed-window}}
        - {id: logins, match: {path: /login}, key: [ip, path], enforcement: strict,
           limit: {permits: 10, per: 30d, algorithm: fixed-window}}
        - {id: late, match: {path: /late}, key: [path], enforcement: strict,
           limit: {permits: 1000000, per: 30d, algorithm: fixed-window}}
        - {id: reads, match: {path: /read}, key: [path], on-unavailable: allow,
           limit: {permits: 1000000, per: 30d}}
      """;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final HttpLoad load = new HttpLoad();
  private final Path folder;
  private final Class<?> service;

  private AdapterTrial(Path folder, Class<?> service) {
    this.folder = folder;
    this.service = service;
  }

  /**
   * Runs it.
   *
   * @param service its {@code main} takes the bootstrap servers and a folder, and prints {@link
   *     #LISTENS} and its port
   * @throws AssertionError saying what was otherwise
   */
  public static void run(Path folder, Class<?> service) throws IOException {
    try (AdapterTrial trial = new AdapterTrial(folder, service)) {
      trial.run();
    }
  }

  private void run() throws IOException {
    Site site = Site.start(Files.createDirectories(folder.resolve("site")), RULES);
    open.add(site);
    List<Integer> ports = List.of(start(site, "one"), start(site, "two"));
    for (int port : ports) {
      Wait.until("the rules at " + port, TIMEOUT, () -> isCounted(port));
    }

    check("limit of 500", load.get(ports, "/all", 400, 16), Map.of(OK, 500, TOO_MANY, 300));
    spendWithForgedRequests(ports);
    check("ten are spent", load.get(ports, "/login", 5, 2), Map.of(TOO_MANY, 10));

    site.killKafka();
    long begun = System.nanoTime();
    check("Kafka away, allowed", load.get(ports, "/read", 100, 8), Map.of(OK, 200));
    // Each waits for two seconds: longer together than until an enforcer counts as away.
    Map<Integer, Integer> strict = load.get(ports, "/late", 24, 8);
    say("Kafka away: strict %s, in %.1f s".formatted(strict, (System.nanoTime() - begun) / 1e9));
    if (!Set.of(OK, TOO_MANY).containsAll(strict.keySet())) {
      throw new AssertionError("Kafka away, strict: " + strict);
    }

    site.startKafka();
    long back = System.nanoTime();
    for (int port : ports) {
      try {
        Wait.until("a permit", TIMEOUT, () -> load.get(port, "/late").statusCode() == OK);
      } catch (IllegalStateException e) {
        throw new AssertionError("not healed at " + port + "\n" + open, e);
      }
    }
    say("healed %.1f s after Kafka was back".formatted((System.nanoTime() - back) / 1e9));
    awaitAllAdmitted(ports);
  }

  /** A machine that stands still makes a few wait for longer than they may. */
  private void awaitAllAdmitted(List<Integer> ports) {
    List<Map<Integer, Integer>> seen = new ArrayList<>();
    try {
      Wait.until(
          "all to be admitted",
          TIMEOUT,
          () -> {
            seen.add(load.get(ports, "/late", 100, 8));
            return seen.get(seen.size() - 1).equals(Map.of(OK, 200));
          });
    } catch (IllegalStateException e) {
      throw new AssertionError("Kafka back: must be all " + OK + ", is in turn " + seen, e);
    }
  }

  /** Before a service knows the rules its answers have no such header, and nothing is counted. */
  private boolean isCounted(int port) {
    return load.get(port, "/read").headers().firstValue("RateLimit-Policy").isPresent();
  }

  private void spendWithForgedRequests(List<Integer> ports) {
    for (String path :
        List.of("/login", "/%6Cogin", "//login", "/x/../login", "/./login", "/login/")) {
      for (int port : ports) {
        load.get(port, path, "X-Forwarded-For", "1.2.3." + port % 250, "Forwarded", "for=1.2.3.4");
      }
    }
  }

  private int start(Site site, String name) throws IOException {
    ChildJvm jvm =
        ChildJvm.start(
            name,
            folder.resolve(name + "-tmp"),
            service,
            site.bootstrapServers(),
            Files.createDirectories(folder.resolve(name)).toString());
    open.add(jvm);
    return Integer.parseInt(jvm.awaitLine(LISTENS, TIMEOUT).strip());
  }

  private static void check(String what, Map<Integer, Integer> is, Map<Integer, Integer> must) {
    if (!is.equals(must)) {
      throw new AssertionError(what + ": must be " + must + ", is " + is);
    }
  }

  private void say(String what) {
    System.out.println(service.getSimpleName() + ": " + what);
  }

  /** Ends all that it has started. */
  @Override
  public void close() {
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
