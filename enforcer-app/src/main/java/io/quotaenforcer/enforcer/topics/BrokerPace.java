package io.quotaenforcer.enforcer.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** How soon brokers go on without an enforcer, or another broker, that is gone. */
final class BrokerPace {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A setting of brokers whose value delays takeovers when it is larger than this. */
  private enum Delay {
    ABANDONED_TRANSACTIONS(
        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
        1_000,
        "brokers end abandoned transactions only every %s ms: who takes over from an enforcer that was killed may wait for that; set %s=500 for all brokers"),
    GONE_BROKERS(
        "broker.session.timeout.ms",
        9_000,
        "a broker that is gone leads its partitions for %s ms: nothing is granted at these meanwhile; set %s=9000 or less for all controllers");

    private final String setting;
    private final long most;
    private final String words;

    Delay(String setting, long most, String words) {
      this.setting = setting;
      this.most = most;
      this.words = words;
    }

    private Optional<String> warning(Function<String, Optional<String>> settings) {
      return settings
          .apply(setting)
          .filter(value -> Long.parseLong(value) > most)
          .map(value -> words.formatted(value, setting));
    }
  }

  private BrokerPace() {}

  /**
   * Warnings of brokers that go on later than they could; none where they may not be asked, which
   * needs {@code DescribeConfigs} on the cluster.
   */
  static List<String> warnings(Brokers brokers) {
    List<ConfigResource> all = new ArrayList<>();
    brokers
        .get("list the brokers", brokers.admin().describeCluster().nodes())
        .forEach(node -> all.add(new ConfigResource(ConfigResource.Type.BROKER, node.idString())));
    List<String> warnings = new ArrayList<>();
    for (KafkaFuture<Config> each : brokers.admin().describeConfigs(all).values().values()) {
      warnings.addAll(warnings(settings(each)));
    }
    return warnings.stream().distinct().toList();
  }

  /** None of a broker that is just gone, or that does not tell them to everybody. */
  private static Map<String, String> settings(KafkaFuture<Config> asked) {
    Map<String, String> settings = new TreeMap<>();
    try {
      for (ConfigEntry entry : asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).entries()) {
        if (entry.value() != null) {
          settings.put(entry.name(), entry.value());
        }
      }
    } catch (ExecutionException | TimeoutException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return settings;
  }

  /** The same for one broker's settings. */
  static List<String> warnings(Map<String, String> settings) {
    List<String> warnings = new ArrayList<>();
    for (Delay each : Delay.values()) {
      each.warning(name -> Optional.ofNullable(settings.get(name))).ifPresent(warnings::add);
    }
    return warnings;
  }
}
