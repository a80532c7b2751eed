package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.schemas.AuditRecord;
import io.quotaenforcer.schemas.DeferralAnswer;
import io.quotaenforcer.schemas.DeferralCommand;
import io.quotaenforcer.schemas.DeferralInquiry;
import io.quotaenforcer.schemas.DeferredRequest;
import io.quotaenforcer.schemas.Entitlement;
import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.LimitInForce;
import io.quotaenforcer.schemas.LoadSignal;
import io.quotaenforcer.schemas.PrefixInfo;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.QuotaSnapshot;
import io.quotaenforcer.schemas.Replay;
import io.quotaenforcer.schemas.ReplayResult;
import io.quotaenforcer.schemas.RequestEvent;
import io.quotaenforcer.schemas.RuleVersion;
import io.quotaenforcer.schemas.UsageReport;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.Codecs;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;

/**
 * The topics under one prefix: a trust domain with its own enforcer.
 *
 * @param rules rules by {@link #ruleKey}, and one {@link PrefixInfo} under {@link #PREFIX_KEY}
 * @param ruleHistory every version of every rule by {@link #ruleKey}, in the order of their
 *     publication
 * @param entitlements limits of quota keys by data, by quota key, in its partition
 * @param usage reports of instances, by instance, in the partition of their quota keys
 * @param usageEvents reports of the combiner, likewise
 * @param snapshots the enforcer's answers, by instance, in the partition that the instance chose
 * @param deferred input of the queues of deferred requests, by quota key
 * @param replays released deferred requests, by quota key
 * @param requestEvents requests reported after the fact
 * @param exhausted quota keys without permits, by quota key
 * @param load what instances of services say of their load, by instance
 * @param limitsInForce how much of a rule's limits is in force by that, by {@link #ruleKey}, in
 *     every partition
 * @param audit what operators changed by the HTTP API, in the order of the changes
 * @param deadLetters records that could not be processed, unchanged
 */
public record Topics(
    Topic<String, WireRecord> rules,
    Topic<String, RuleVersion> ruleHistory,
    Topic<String, Entitlement> entitlements,
    Topic<String, UsageReport> usage,
    Topic<String, UsageReport> usageEvents,
    Topic<String, WireRecord> snapshots,
    Topic<String, WireRecord> deferred,
    Topic<String, Replay> replays,
    Topic<String, RequestEvent> requestEvents,
    Topic<String, ExhaustedQuota> exhausted,
    Topic<String, LoadSignal> load,
    Topic<String, LimitInForce> limitsInForce,
    Topic<String, AuditRecord> audit,
    Topic<byte[], byte[]> deadLetters) {
  public static final String DEFAULT_PREFIX = "quota.";
  public static final int DEFAULT_PARTITIONS = 16;

  /** Largest record with a payload: as much room again for everything beside the payload. */
  public static final int MAX_RECORD_BYTES = 2 * Payload.MAX_BYTES;

  /**
   * Header of a dead letter that an operator has written again: the letter's position. A deferred
   * request with this header is not treated as a duplicate of the one that was put aside.
   */
  public static final String REDRIVEN_FROM = "redriven-from";

  /** Key of the {@link PrefixInfo} among the rules; no domain starts like it. */
  public static final String PREFIX_KEY = "#prefix";

  /**
   * Begins the keys of schemas among the rules, before {@link
   * io.quotaenforcer.schemas.codec.WriterSchema#id}; no domain starts like it.
   */
  public static final String SCHEMA_KEY = "#schema/";

  /** Answers are worthless once their leases have ended. */
  private static final Duration SHORT = Duration.ofMinutes(10);

  /**
   * An outage of the enforcer may last this long: use by clients that ended meanwhile is counted
   * after it. Clients that go on report all their use again, and reports are many.
   */
  private static final Duration REPORTS = Duration.ofHours(2);

  /**
   * Retention of combiners' reports, which are sent only once: a ledger's partition may be down for
   * days.
   */
  private static final Duration TOLD_ONCE = Duration.ofDays(7);

  /** Beside a dead letter, which is as large as any record. */
  private static final int LETTER_HEADER_BYTES = 64 << 10;

  /** Time for which a key is known as abused. */
  private static final Duration EXHAUSTED = Duration.ofDays(7);

  private static final Duration AUDIT = Duration.ofDays(7);
  private static final Duration LONG = Duration.ofDays(30);

  /** The type of time stamps that brokers give themselves. */
  public static final String STAMPED = "LogAppendTime";

  /** Time after which no replay is left in its topic: segments are deleted whole. */
  public static final Duration REPLAYS_KEPT = LONG.plus(LONG.dividedBy(2)).plusDays(1);

  /** A year, and a month to look back on it. */
  private static final Duration HISTORY = Duration.ofDays(400);

  /**
   * The topics under a prefix.
   *
   * @param partitions of all topics but rules, rule-history, exhausted, load, audit and
   *     dead-letters, which have one
   */
  public static Topics under(String prefix, int partitions, Codecs codecs) {
    if (!prefix.matches("[a-zA-Z0-9._-]{1,200}")) {
      throw new IllegalArgumentException(
          "must be 1 to 200 letters, digits, '.', '_' or '-': prefix=" + prefix);
    }
    Builder build = new Builder(prefix, codecs);
    return new Topics(
        build.topic(
            "rules",
            1,
            compacted(),
            "The rules, and what is fixed for the prefix. Beside them, as text, the schemas that"
                + " records are written with: older readers need them.",
            "domain/rule-id of a rule; "
                + PREFIX_KEY
                + " for what is fixed for the prefix; "
                + SCHEMA_KEY
                + "record/fingerprint for a schema",
            QuotaRule.TYPE,
            PrefixInfo.TYPE),
        build.topic(
            "rule-history",
            1,
            kept(HISTORY),
            "Every version of every rule, with who published it and why. Written in one transaction"
                + " with the rules.",
            "domain/rule-id",
            RuleVersion.TYPE),
        build.topic(
            "entitlements",
            partitions,
            compacted(),
            "What single quota keys have in place of their rule's limit, in the partition of the"
                + " quota key. A record without a value takes it back.",
            "quota key",
            Entitlement.TYPE),
        build.topic(
            "usage",
            partitions,
            kept(REPORTS),
            "What instances report, in the partition of the quota keys in it.",
            "none",
            UsageReport.TYPE),
        build.topic(
            "usage-events",
            partitions,
            kept(TOLD_ONCE),
            "What the combiner reports of request events, in the partition of the quota keys in"
                + " it.",
            "the combiner's name",
            UsageReport.TYPE),
        build.topic(
            "snapshots",
            partitions,
            kept(SHORT),
            "The enforcer's answers, in the partition that the instance named in its report. Beside"
                + " them empty records to nobody: enforcers ask for the time at which brokers"
                + " append them.",
            "instance:epoch, the epoch in hexadecimal; #clock of those to nobody",
            QuotaSnapshot.TYPE,
            DeferralAnswer.TYPE),
        build.topic(
            "deferred",
            partitions,
            large(LONG),
            "What is told to the queues of deferred requests, in the partition of the quota key or,"
                + " if it is for many, in every partition.",
            "quota key, or the rule for all of its keys",
            DeferredRequest.TYPE,
            DeferralInquiry.TYPE,
            ReplayResult.TYPE,
            DeferralCommand.TYPE),
        build.topic(
            "replays",
            partitions,
            large(LONG),
            "Deferred requests that are released, in the partition of the quota key.",
            "quota key",
            Replay.TYPE),
        build.topic(
            "request-events",
            partitions,
            kept(AUDIT),
            "Requests reported after the fact. One that comes again with its key counts once, by"
                + " its id, whatever its time; an id has at most 200 characters.",
            "the event's id, or anything",
            RequestEvent.TYPE),
        build.topic(
            "exhausted",
            1,
            compactedAndKept(EXHAUSTED),
            "Quota keys that are used up by several instances, or abused.",
            "quota key",
            ExhaustedQuota.TYPE),
        build.topic(
            "load",
            1,
            kept(SHORT),
            "What instances of services say of their load, once a second, for limits that follow"
                + " it.",
            "the instance's id",
            LoadSignal.TYPE),
        build.topic(
            "limits-in-force",
            partitions,
            compacted(),
            "How much of a rule's limits is in force by the load of the service, the same in every"
                + " partition: each task of the ledger reads its own. A record without a value says"
                + " that the rule follows no load any more.",
            "domain/rule-id",
            LimitInForce.TYPE),
        build.topic(
            "audit",
            1,
            kept(HISTORY),
            "What was changed by the HTTP API, or refused: who, what, when and how it ended."
                + " Written in one transaction with the change itself. Records as those of every"
                + " other topic, so that programs in other languages read them, and those of"
                + " a year ago stay readable. No payloads; a record is at most some kilobytes.",
            "the action",
            AuditRecord.TYPE),
        new Topic<>(
            prefix + "dead-letters",
            Serdes.ByteArray(),
            Serdes.ByteArray(),
            1,
            stampedByBrokers(letters(LONG)),
            new Topic.About(
                "What could not be processed, as it came, at the time at which it was put aside,"
                    + " with the headers reason, topic, partition, offset and timestamp, and those"
                    + " of Kafka Streams (KIP-1034).",
                "as it came",
                List.of())));
  }

  public List<Topic<?, ?>> all() {
    return List.of(
        rules,
        ruleHistory,
        entitlements,
        usage,
        usageEvents,
        snapshots,
        deferred,
        replays,
        requestEvents,
        exhausted,
        load,
        limitsInForce,
        audit,
        deadLetters);
  }

  /** Key of a rule's record. */
  public static String ruleKey(String domain, String ruleId) {
    return domain + "/" + ruleId;
  }

  /**
   * Brokers refuse the records of a process whose clock is an hour ahead, unless they stamp them
   * themselves; and enforcers tell by their stamps whether their own clocks are right.
   */
  private static Map<String, String> stampedByBrokers(Map<String, String> other) {
    Map<String, String> config = new HashMap<>(other);
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, STAMPED);
    return Map.copyOf(config);
  }

  private static Map<String, String> compacted() {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        // What was replaced an hour ago is history.
        TopicConfig.SEGMENT_MS_CONFIG,
        millis(Duration.ofHours(1)));
  }

  private static Map<String, String> kept(Duration retention) {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
        TopicConfig.RETENTION_MS_CONFIG, millis(retention),
        TopicConfig.SEGMENT_MS_CONFIG, segment(retention));
  }

  /** With records that hold a payload. */
  private static Map<String, String> large(Duration retention) {
    Map<String, String> config = new HashMap<>(kept(retention));
    config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_RECORD_BYTES));
    return Map.copyOf(config);
  }

  /** With any records, and why they are there. */
  private static Map<String, String> letters(Duration retention) {
    Map<String, String> config = new HashMap<>(kept(retention));
    config.put(
        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
        Integer.toString(MAX_RECORD_BYTES + LETTER_HEADER_BYTES));
    return Map.copyOf(config);
  }

  private static Map<String, String> compactedAndKept(Duration retention) {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE,
        TopicConfig.RETENTION_MS_CONFIG, millis(retention),
        TopicConfig.SEGMENT_MS_CONFIG, segment(retention));
  }

  /**
   * Only whole segments are deleted: with half the retention, at most 1.5 times as much is kept.
   */
  private static String segment(Duration retention) {
    return millis(retention.dividedBy(2));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  private record Builder(String prefix, Codecs codecs) {
    @SafeVarargs
    final <T extends WireRecord> Topic<String, T> topic(
        String name,
        int partitions,
        Map<String, String> config,
        String doc,
        String key,
        RecordType<? extends T>... types) {
      String topic = prefix + name;
      return new Topic<>(
          topic,
          Serdes.String(),
          codecs.codec(topic, types),
          partitions,
          stampedByBrokers(config),
          new Topic.About(doc, key, List.of(types)));
    }
  }
}
