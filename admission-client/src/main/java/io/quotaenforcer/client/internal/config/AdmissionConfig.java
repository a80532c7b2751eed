package io.quotaenforcer.client.internal.config;

import io.quotaenforcer.client.internal.replay.ReplayGroup;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How an admission client is set up; {@link AdmissionSettings} reads it from properties. Immutable.
 *
 * @param domains domains whose rules decide here; empty means all
 * @param instance id of this instance in reports and metrics
 */
public record AdmissionConfig(
    Set<String> domains,
    String instance,
    Deciding deciding,
    Events events,
    Deferring deferring,
    Hashing hashing,
    KafkaSetup kafka) {
  private static final String ALL = "all";

  /**
   * How requests are decided.
   *
   * @param bookSettings intervals and sizes of the allotment book
   * @param maxInstances assumed until the prefix says how many instances there may be
   * @param maxWaiting requests that may wait for permits at a time
   * @param beforeRules the answer until the rules are known
   * @param rulesCache file that keeps the rules for the next start
   */
  public record Deciding(
      BookSettings bookSettings,
      int maxInstances,
      int maxWaiting,
      BeforeRules beforeRules,
      Optional<Path> rulesCache) {}

  /**
   * Which request events are emitted.
   *
   * @param decisions which decisions of this client are also emitted as request events
   * @param sampleRate share of decisions emitted when they are sampled, 0 to 1
   * @param service name of this service in its request events
   * @param capacity request events that may wait to be sent
   */
  public record Events(RequestEvents decisions, double sampleRate, String service, int capacity) {}

  /**
   * How requests are deferred and run later.
   *
   * @param timeout how long a deferred request waits for the enforcer's answer
   * @param maxUnanswered deferred requests that may wait for it
   * @param replayGroup consumer group of the replays of all domains, if the user names one
   */
  public record Deferring(Duration timeout, int maxUnanswered, Optional<String> replayGroup) {}

  public AdmissionConfig {
    domains = Set.copyOf(domains);
  }

  public boolean wantsDomain(String domain) {
    return domains.isEmpty() || domains.contains(domain);
  }

  /** The topics, and the codecs of their records. */
  public Wire wire() {
    return kafka.wire();
  }

  /**
   * How long closing waits for the enforcer to confirm what is given back, and before that for the
   * replays that have started.
   */
  public Duration closeTimeout() {
    return kafka.closeTimeout();
  }

  /**
   * The consumer groups that share the replays of these domains. Unless the user names one, each
   * domain has a group of its own, so that how far its replays are handled depends on no other
   * domain.
   *
   * @param named a group that was named in code; it takes precedence over the setting
   */
  public List<ReplayGroup> replayGroups(Optional<String> named) {
    String topic = wire().topics().replays().name();
    Optional<String> one =
        named
            .or(deferring::replayGroup)
            .or(() -> domains.isEmpty() ? Optional.of(topic + "-" + ALL) : Optional.empty());
    return one.map(name -> List.of(new ReplayGroup(name, this::wantsDomain)))
        .orElseGet(
            () ->
                new TreeSet<>(domains)
                    .stream()
                        .map(domain -> new ReplayGroup(groupOf(topic, domain), domain::equals))
                        .toList());
  }

  /** No member of a group may pass over replays that another member is there for. */
  private static String groupOf(String topic, String domain) {
    return domain.equals(ALL) ? topic + "-domain/" + ALL : topic + "-" + domain;
  }
}
