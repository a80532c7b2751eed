package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.lab.it.SparseUsers.Seen;
import io.quotaenforcer.lab.process.BrokerJvms;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is below the limit is let in: an enforcer and one service, with their defaults. */
@Tag("alone")
@Timeout(360)
class SparseUsersIT {
  private static final Pattern BUCKET =
      Pattern.compile("quota_commit_seconds_bucket\\{le=\"([^\"]+)\"} (\\S+)");

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(40);

  /** A loop is two or three commits, and half a second is a usual wait. */
  private static final double MOST_COMMIT_MILLIS = 150;

  private static final int COMMITS_OF_A_LOOP = 3;

  /** Before those that count: for waits of processes that have run for a while. */
  private static final int WARM_UP_VISITS = Integer.getInteger("sparse.warm-up", 0);

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  @Test
  void usersBelowTheirLimit_onOneBroker_areNotThrottled() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    assertNobodyIsThrottled(broker.bootstrapServers());
  }

  /** Five processes: where they leave a commit no time, waits of any length may be too short. */
  @Test
  void usersBelowTheirLimit_onThreeBrokers_areNotThrottled() throws Exception {
    BrokerJvms brokers = BrokerJvms.start(folder.resolve("brokers"));
    open.add(brokers);
    assertNobodyIsThrottled(brokers.bootstrapServers());
  }

  private void assertNobodyIsThrottled(String bootstrapServers) throws Exception {
    publishRules(bootstrapServers);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), bootstrapServers);
    open.add(enforcer);
    enforcer.awaitReady();
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(bootstrapServers).build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    SparseUsers users = new SparseUsers(client);
    open.add(users);

    awaitWarm(users, enforcer);

    for (int i = 0; i < WARM_UP_VISITS; i++) {
      users.visit();
    }
    SparseUsers.waits(users.visitSingly()).forEach(line -> print("one at a time, " + line));
    List<Seen> seen = users.visit();

    SparseUsers.waits(seen).forEach(SparseUsersIT::print);
    commitTimes(enforcer).forEach(SparseUsersIT::print);
    assumeThat(medianCommitMillis(enforcer))
        .as("milliseconds that a commit takes: this machine is too slow to judge waits on")
        .isLessThan(MOST_COMMIT_MILLIS);
    assertThat(SparseUsers.throttled(seen)).as("of %d requests", seen.size()).isEmpty();
  }

  private static void awaitWarm(SparseUsers users, EnforcerJvm enforcer) throws Exception {
    try {
      await("all processes to be warm").atMost(WARM_UP).until(users::areAnsweredAtOnce);
    } catch (ConditionTimeoutException e) {
      commitTimes(enforcer).forEach(SparseUsersIT::print);
      assumeThat(medianCommitMillis(enforcer) * COMMITS_OF_A_LOOP)
          .as("milliseconds that a loop takes: this machine is too slow to answer at once")
          .isLessThan(SparseUsers.SOON.toMillis());
      throw e;
    }
  }

  private static void print(String line) {
    System.out.println("sparse users: " + line);
  }

  /** Upper end of the bucket that half of the commits are in, or below. */
  private static double medianCommitMillis(EnforcerJvm enforcer) throws Exception {
    Map<Double, Double> buckets = new TreeMap<>();
    for (String line : commitTimes(enforcer)) {
      Matcher bucket = BUCKET.matcher(line);
      if (bucket.matches()) {
        buckets.put(
            Double.valueOf(bucket.group(1).replace("+Inf", "Infinity")),
            Double.valueOf(bucket.group(2)));
      }
    }
    double all = Collections.max(buckets.values());
    return buckets.entrySet().stream()
        .filter(bucket -> bucket.getValue() >= all / 2)
        .mapToDouble(bucket -> 1e3 * bucket.getKey())
        .findFirst()
        .orElseThrow();
  }

  private static List<String> commitTimes(EnforcerJvm enforcer) throws Exception {
    return enforcer
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("quota_commit_seconds"))
        .toList();
  }

  private void publishRules(String bootstrapServers) throws IOException {
    String server = "--bootstrap-server=" + bootstrapServers;
    Path rules = Files.writeString(folder.resolve("rules.yaml"), SparseUsers.RULES);
    QuotaRun.done("topics", "create", server);
    QuotaRun.done("rules", "apply", rules.toString(), server);
  }
}
