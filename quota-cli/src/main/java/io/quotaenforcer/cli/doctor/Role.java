package io.quotaenforcer.cli.doctor;

import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;

/** Who works with the topics of a prefix, and what Kafka must allow them to (running.md, ACLs). */
public enum Role {
  /** Counts and grants. */
  ENFORCER(
      List.of(
          "rules",
          "entitlements",
          "load",
          "limits-in-force",
          "usage",
          "usage-events",
          "request-events",
          "deferred",
          "snapshots",
          "audit"),
      List.of(
          "usage-events",
          "replays",
          "snapshots",
          "exhausted",
          "limits-in-force",
          "dead-letters",
          "audit"),
      Set.of(DESCRIBE_CONFIGS)),

  /** An enforcer with an API for operators, for whom it makes changes. */
  OPERATED(
      with(ENFORCER.reads, "rule-history", "dead-letters"),
      with(ENFORCER.writes, "rules", "rule-history", "deferred", "usage", "request-events"),
      Set.of(DESCRIBE_CONFIGS)),

  /** A service with an admission client. */
  SERVICE(List.of("rules", "exhausted", "snapshots"), List.of("usage"), Set.of()),

  /** A service that defers requests. */
  DEFERRING(List.of("rules", "exhausted", "snapshots"), List.of("usage", "deferred"), Set.of()),

  /** A service that runs replays. */
  REPLAYING(
      List.of("rules", "exhausted", "snapshots", "replays"),
      List.of("usage", "deferred"),
      Set.of()),

  /** A service that emits request events only. */
  EVENTS(List.of(), List.of("request-events"), Set.of()),

  /** Who changes rules. */
  PUBLISHER(List.of("rules", "rule-history"), List.of("rules", "rule-history"), Set.of());

  private final List<String> reads;
  private final List<String> writes;
  private final Set<AclOperation> onAll;

  Role(List<String> reads, List<String> writes, Set<AclOperation> onAll) {
    this.reads = reads;
    this.writes = writes;
    this.onAll = onAll;
  }

  /** Operations that it needs, by topic without the prefix. */
  public Map<String, Set<AclOperation>> topics() {
    Map<String, Set<AclOperation>> needs = new TreeMap<>();
    reads.forEach(topic -> add(needs, topic, READ));
    writes.forEach(topic -> add(needs, topic, WRITE));
    needs.values().forEach(operations -> operations.addAll(onAll));
    return needs;
  }

  private static void add(
      Map<String, Set<AclOperation>> needs, String topic, AclOperation operation) {
    needs.computeIfAbsent(topic, name -> EnumSet.noneOf(AclOperation.class)).add(operation);
  }

  private static List<String> with(List<String> topics, String... more) {
    return Stream.concat(topics.stream(), Stream.of(more)).toList();
  }

  /** Whether it is a member of the enforcers' group, and writes in transactions of that name. */
  public boolean isInTheGroup() {
    return this == ENFORCER || this == OPERATED;
  }

  /** Transactional ids that it takes, without the prefix of the topics. */
  public List<String> transactions() {
    return switch (this) {
      case OPERATED -> List.of("rules", "dead-letters");
      case PUBLISHER -> List.of("rules");
      case ENFORCER, SERVICE, DEFERRING, REPLAYING, EVENTS -> List.of();
    };
  }
}
