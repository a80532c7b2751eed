package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.lab.it.FaultWatch.Channel;
import io.quotaenforcer.lab.it.FaultWatch.Told;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults, one after the other, and what health, log, metrics, alerts and console tell of each, and
 * when. Writes all of it to {@code target/faults-told.md} and {@code .json}.
 */
@Tag("long")
@Timeout(2700)
class FaultsToldIT {
  private static final Duration WHOLE_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration STANDSTILL = Duration.ofSeconds(20);

  /** Longer than it takes an alert about an enforcer that is gone to fire. */
  private static final Duration GONE = Duration.ofSeconds(100);

  /** For the alerts that look back, a minute at a time, to know how many enforcers there are. */
  private static final Duration KNOWN = Duration.ofSeconds(70);

  /** For the channels to say that nothing is wrong. */
  private static final Duration QUIET = Duration.ofSeconds(12);

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final List<FaultRow> rows = new ArrayList<>();
  private WatchedSite site;
  private FaultWatch watch;

  /** What came of a fault, and when all was well again. */
  record FaultRow(String fault, List<Told> told, double wholeSeconds) {}

  private interface Fault {
    void happens() throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    Browser.require();
    Prometheus.require();
    site = new WatchedSite(folder);
    open.add(site);
    List<Browser> consoles = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Browser console = Browser.open("http://" + site.address(i) + "/");
      open.add(console);
      console.signIn(WatchedSite.VIEWER);
      console.awaitText("main", "ready");
      consoles.add(console);
    }
    watch = new FaultWatch(site, consoles);
    open.add(watch);
    Wait.pause(KNOWN);
  }

  @Test
  void faults_areTold_byEveryChannel_withTheReason() throws Exception {
    run(
        "killed",
        () -> {
          site.enforcer(0).close();
          Wait.pause(GONE);
          site.startAgain(0);
        });
    run(
        "paused",
        () -> {
          site.process(0).signal("STOP");
          Wait.pause(STANDSTILL);
          site.process(0).signal("CONT");
        });
    run(
        "restarted",
        () -> {
          site.enforcer(0).terminate();
          site.startAgain(0);
        });
    run(
        "kafka-killed",
        () -> {
          site.brokers().forEach(ChildJvm::close);
          Wait.pause(STANDSTILL);
          site.startBrokersAgain();
        });
    run(
        "kafka-paused",
        () -> {
          signalBrokers("STOP");
          Wait.pause(STANDSTILL);
          signalBrokers("CONT");
        });
    killedIsTold();
    pausedIsTold();
    restartIsTold_andIsNoFailure();
    kafkaAwayIsTold("kafka-killed");
    kafkaAwayIsTold("kafka-paused");
  }

  private void killedIsTold() {
    told("killed", Channel.HEALTH, "A", "connection refused", 5);
    told("killed", Channel.LOG, "B", "A does not share the work any more", 20);
    told("killed", Channel.METRICS, "up == 0", "(A: 0)", 15);
    told("killed", Channel.ALERT, "QuotaEnforcerGoneA", "firing", 90);
    told("killed", Channel.CONSOLE, "page of A", "does not answer: it has ended", 10);
    told("killed", Channel.CONSOLE, "page of B", "A gone", 20);
  }

  private void pausedIsTold() {
    told("paused", Channel.HEALTH, "A", "no answer within 1 s", 5);
    told("paused", Channel.LOG, "A", "this process stood still for", 30);
    told("paused", Channel.METRICS, "up == 0", "(A: 0)", 15);
    told("paused", Channel.ALERT, "QuotaEnforcerGoneA", "pending", 20);
    told("paused", Channel.CONSOLE, "page of A", "does not answer: it stands still", 15);
    told("paused", Channel.CONSOLE, "page of B", "A gone", 20);
  }

  private void restartIsTold_andIsNoFailure() {
    told("restarted", Channel.HEALTH, "A", "ending, as it was told to", 10);
    told("restarted", Channel.LOG, "A", "ending, with", 10);
    told("restarted", Channel.LOG, "B", "A does not share the work any more", 20);
    told("restarted", Channel.CONSOLE, "page of B", "A gone", 20);
    assertThat(of("restarted"))
        .noneMatch(one -> one.text().contains("\"status\":\"failed\""))
        .noneMatch(one -> one.text().contains("QuotaFailed"))
        .noneMatch(one -> one.text().contains("firing"));
  }

  private void kafkaAwayIsTold(String fault) {
    for (String enforcer : List.of("A", "B")) {
      told(fault, Channel.HEALTH, enforcer, "failing", 15);
      told(fault, Channel.LOG, enforcer, "nothing is granted at some partitions or all", 15);
      told(fault, Channel.CONSOLE, "page of " + enforcer, "failing", 20);
    }
    told(fault, Channel.METRICS, "quota_uncommitted_age_seconds > 2", "A", 20);
    told(fault, Channel.ALERT, "QuotaUncommittedA", "pending", 25);
  }

  private List<Told> of(String fault) {
    return rows.stream()
        .filter(row -> row.fault.equals(fault))
        .flatMap(row -> row.told.stream())
        .toList();
  }

  private void told(String fault, Channel channel, String who, String part, double seconds) {
    assertThat(of(fault))
        .as("%s, %s of %s: %s", fault, channel, who, part)
        .anyMatch(
            one ->
                one.channel() == channel
                    && one.who().equals(who)
                    && one.text().contains(part)
                    && one.seconds() <= seconds);
  }

  private void signalBrokers(String signal) throws Exception {
    for (ChildJvm broker : site.brokers()) {
      broker.signal(signal);
    }
  }

  private void run(String name, Fault fault) throws Exception {
    watch.begin(name);
    fault.happens();
    Wait.until("all to be well after " + name, WHOLE_TIMEOUT, site::isWhole);
    double whole = watch.seconds();
    Wait.pause(QUIET);
    rows.add(new FaultRow(name, watch.told(), whole));
    write();
  }

  private void write() throws IOException {
    Path target = Files.createDirectories(Path.of("target"));
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(target.resolve("faults-told.json").toFile(), rows);
    StringBuilder page = new StringBuilder();
    for (FaultRow row : rows) {
      page.append("## %s%n%nWhole after %s.%n%n".formatted(row.fault, seconds(row.wholeSeconds)));
      TreeMap<Channel, List<Told>> byChannel =
          row.told.stream()
              .collect(Collectors.groupingBy(Told::channel, TreeMap::new, Collectors.toList()));
      byChannel.forEach(
          (channel, all) -> {
            page.append("%s%n".formatted(channel.name().toLowerCase(Locale.ROOT)));
            all.forEach(
                one ->
                    page.append(
                        "- %s, %s: %s%n".formatted(seconds(one.seconds()), one.who(), one.text())));
            page.append("\n");
          });
    }
    Files.writeString(target.resolve("faults-told.md"), page);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
