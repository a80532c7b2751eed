package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleSetChange;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a client's life, as an operator needs it: a line for each event, none for requests or
 * loops. Used by the threads of the background, one of which asks and one of which hears.
 */
final class LifeLog {
  private static final Logger log = LoggerFactory.getLogger(LifeLog.class);

  /** Longer than a rolling restart leaves a partition without an enforcer. */
  static final long LONG_AWAY_NANOS = 3_000_000_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  private final String instance;
  private final long startNanos;
  private volatile boolean granted;
  private @Nullable RuleSet rules;
  private @Nullable Long awaySinceNanos;
  private boolean saidAway;

  /**
   * @param startNanos of the client, by the clock that all times here are by
   */
  LifeLog(String instance, long startNanos) {
    this.instance = instance;
    this.startNanos = startNanos;
  }

  void started(AdmissionConfig config) {
    String version = LifeLog.class.getPackage().getImplementationVersion();
    log.info(
        "{}: admission client {} started: domains {}, reports to {}, Kafka {}",
        instance,
        version == null ? "development" : version,
        config.domains().isEmpty() ? "all" : config.domains(),
        config.wire().topics().usage().name(),
        config.kafka().consumerProperties().get("bootstrap.servers"));
  }

  void rulesApplied(RuleSet now) {
    RuleSet before = rules;
    if (before == null || !before.rules().equals(now.rules())) {
      log.info("{}: {}", instance, RuleSetChange.describe(before, now));
      rules = now;
    }
  }

  void answered(QuotaSnapshot snapshot, long nowNanos) {
    if (!granted
        && snapshot.quotas().stream().map(QuotaAnswer::cells).anyMatch(c -> !c.isEmpty())) {
      granted = true;
      log.info("{}: first grant, {} after the start", instance, seconds(nowNanos - startNanos));
    }
  }

  /**
   * Looks whether the enforcer answers.
   *
   * @param away partitions whose reports it leaves unanswered
   * @param kafkaIsAway which is said elsewhere, and once
   */
  void look(int away, boolean kafkaIsAway, long nowNanos) {
    Long since = awaySinceNanos;
    if (away == 0) {
      if (saidAway && since != null) {
        log.info("{}: the enforcer answers again, after {}", instance, seconds(nowNanos - since));
      }
      awaySinceNanos = null;
      saidAway = false;
    } else if (since == null || (kafkaIsAway && !saidAway)) {
      awaySinceNanos = nowNanos;
    } else if (!saidAway && nowNanos - since >= LONG_AWAY_NANOS) {
      saidAway = true;
      log.warn(
          "{}: the enforcer leaves reports of {} partition(s) unanswered: rules decide by"
              + " on-unavailable there until it answers",
          instance,
          away);
    }
  }

  /**
   * The client is closed.
   *
   * @param settled whether the enforcer has confirmed what was given back
   */
  void closed(boolean settled) {
    log.info(
        "{}: admission client closed{}",
        instance,
        settled ? "" : "; what it held and the enforcer has not confirmed counts as spent");
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
  }
}
