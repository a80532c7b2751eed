package io.quotaenforcer.schemas.topic;

import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.RecordCodec;
import io.quotaenforcer.schemas.codec.WriterSchema;
import io.quotaenforcer.schemas.mapping.AdaptMapping;
import io.quotaenforcer.schemas.mapping.AuditRecordMapping;
import io.quotaenforcer.schemas.mapping.DeferralAnswerMapping;
import io.quotaenforcer.schemas.mapping.DeferralInputMapping;
import io.quotaenforcer.schemas.mapping.EntitlementMapping;
import io.quotaenforcer.schemas.mapping.PrefixInfoMapping;
import io.quotaenforcer.schemas.mapping.QuotaSnapshotMapping;
import io.quotaenforcer.schemas.mapping.ReplayMapping;
import io.quotaenforcer.schemas.mapping.RequestEventMapping;
import io.quotaenforcer.schemas.mapping.RuleMapping;
import io.quotaenforcer.schemas.mapping.RuleVersionMapping;
import io.quotaenforcer.schemas.mapping.UsageReportMapping;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serde;

/**
 * Contents of the topics of one prefix: types of the core on one side, bytes on the other. Safe for
 * use by any number of threads. Reading throws only RuntimeExceptions that say what is wrong with
 * the bytes.
 */
public final class Wire {
  private final Topics topics;

  private Wire(Topics topics) {
    this.topics = topics;
  }

  /**
   * The wire of a prefix.
   *
   * @param prefix of the topic names, as {@code quota.}
   */
  public static Wire of(String prefix, Codecs codecs) {
    return of(Topics.under(prefix, Topics.DEFAULT_PARTITIONS, codecs));
  }

  public static Wire of(Topics topics) {
    return new Wire(topics);
  }

  public Topics topics() {
    return topics;
  }

  /**
   * Registers the schemas of everything that an enforcer writes now instead of with the first
   * record of each, or looks them up, so that a later outage of the registry does not prevent
   * writing.
   *
   * @throws CodecException if the registry refuses one or is away
   */
  public void registerEnforcerSchemas() {
    // Reports are written as those of quota.usage, also to quota.usage-events.
    Stream.of(
            topics.usage(),
            topics.snapshots(),
            topics.replays(),
            topics.exhausted(),
            topics.limitsInForce(),
            topics.audit())
        .forEach(Topic::registerSchemas);
  }

  /** The schemas of everything that is written, in JSON, by their subjects in a registry. */
  public Map<String, String> subjects() {
    Map<String, String> subjects = new TreeMap<>();
    codecs().forEach(codec -> subjects.putAll(codec.subjects()));
    return subjects;
  }

  public byte[] encode(UsageReport report) {
    return write(topics.usage(), UsageReportMapping.toRecord(report));
  }

  public UsageReport decodeReport(byte[] value) {
    return UsageReportMapping.fromRecord(read(topics.usage(), value));
  }

  public byte[] encode(QuotaSnapshot snapshot) {
    return write(topics.snapshots(), QuotaSnapshotMapping.toRecord(snapshot));
  }

  public QuotaSnapshot decodeSnapshot(byte[] value) {
    return QuotaSnapshotMapping.fromRecord(
        expect(io.quotaenforcer.schemas.QuotaSnapshot.class, topics.snapshots(), value));
  }

  public byte[] encode(DeferralAnswer answer) {
    return write(topics.snapshots(), DeferralAnswerMapping.toRecord(answer));
  }

  /**
   * Decodes the enforcer's message to an instance and calls one of the two.
   *
   * @param onSnapshot gets an answer to a usage report
   * @param onAnswer gets an answer to a deferred request
   */
  public void decodeAnswer(
      byte[] value, Consumer<QuotaSnapshot> onSnapshot, Consumer<DeferralAnswer> onAnswer) {
    WireRecord record = read(topics.snapshots(), value);
    if (record instanceof io.quotaenforcer.schemas.DeferralAnswer answer) {
      onAnswer.accept(DeferralAnswerMapping.fromRecord(answer));
    } else {
      onSnapshot.accept(
          QuotaSnapshotMapping.fromRecord((io.quotaenforcer.schemas.QuotaSnapshot) record));
    }
  }

  public byte[] encode(DeferralInput input) {
    return write(topics.deferred(), DeferralInputMapping.toRecord(input));
  }

  public DeferralInput decodeDeferralInput(byte[] value) {
    return DeferralInputMapping.fromRecord(read(topics.deferred(), value));
  }

  public byte[] encode(Replay replay) {
    return write(topics.replays(), ReplayMapping.toRecord(replay));
  }

  public Replay decodeReplay(byte[] value) {
    return ReplayMapping.fromRecord(read(topics.replays(), value));
  }

  public byte[] encode(RequestEvent event) {
    return write(topics.requestEvents(), RequestEventMapping.toRecord(event));
  }

  public RequestEvent decodeEvent(byte[] value) {
    return RequestEventMapping.fromRecord(read(topics.requestEvents(), value));
  }

  public byte[] encode(ExhaustedQuota exhausted) {
    return write(
        topics.exhausted(),
        new io.quotaenforcer.schemas.ExhaustedQuota(
            exhausted.generation(),
            exhausted.untilNanos(),
            exhausted.opening(),
            exhausted.abusedUntilNanos()));
  }

  public ExhaustedQuota decodeExhausted(byte[] value) {
    io.quotaenforcer.schemas.ExhaustedQuota record = read(topics.exhausted(), value);
    return new ExhaustedQuota(
        record.generation(), record.untilNanos(), record.opening(), record.abusedUntilNanos());
  }

  public byte[] encode(Rule rule, long updatedAtMillis) {
    return write(topics.rules(), RuleMapping.toRecord(rule, updatedAtMillis));
  }

  public Rule decodeRule(byte[] value) {
    return RuleMapping.fromRecord(expect(QuotaRule.class, topics.rules(), value));
  }

  public byte[] encode(Entitlement entitlement) {
    return write(topics.entitlements(), EntitlementMapping.toRecord(entitlement));
  }

  public Entitlement decodeEntitlement(byte[] value) {
    return EntitlementMapping.fromRecord(read(topics.entitlements(), value));
  }

  public byte[] encode(LoadReport report) {
    return write(topics.load(), AdaptMapping.toRecord(report));
  }

  public LoadReport decodeLoad(byte[] value) {
    return AdaptMapping.fromRecord(read(topics.load(), value));
  }

  public byte[] encode(LimitInForce inForce) {
    return write(topics.limitsInForce(), AdaptMapping.toRecord(inForce));
  }

  public LimitInForce decodeLimitInForce(byte[] value) {
    return AdaptMapping.fromRecord(read(topics.limitsInForce(), value));
  }

  public byte[] encode(RuleVersion version) {
    return write(topics.ruleHistory(), RuleVersionMapping.toRecord(version));
  }

  public RuleVersion decodeRuleVersion(byte[] value) {
    return RuleVersionMapping.fromRecord(read(topics.ruleHistory(), value));
  }

  public byte[] encode(AuditRecord audit) {
    return write(topics.audit(), AuditRecordMapping.toRecord(audit));
  }

  public AuditRecord decodeAudit(byte[] value) {
    return AuditRecordMapping.fromRecord(read(topics.audit(), value));
  }

  public byte[] encode(PrefixInfo prefix, long createdAtMillis) {
    return write(topics.rules(), PrefixInfoMapping.toRecord(prefix, createdAtMillis));
  }

  public PrefixInfo decodePrefix(byte[] value) {
    return PrefixInfoMapping.fromRecord(
        expect(io.quotaenforcer.schemas.PrefixInfo.class, topics.rules(), value));
  }

  /**
   * The schemas that records are written with, by their keys in the rules topic: older processes
   * can read records of announced schemas. Empty when a registry knows the schemas.
   */
  public Map<String, byte[]> announcements() {
    Map<String, byte[]> announcements = new TreeMap<>();
    codecs()
        .flatMap(codec -> codec.writerSchemas().stream())
        .forEach(schema -> announcements.put(Topics.SCHEMA_KEY + schema.id(), schema.bytes()));
    return announcements;
  }

  /** A word for why a record cannot be read, the same for all that share the cause. */
  public static String kindOf(RuntimeException failure) {
    return failure instanceof CodecException codec
        ? codec.reason().name()
        : failure.getClass().getName();
  }

  /** Whether an unreadable record may become readable later without any change. */
  public static boolean isReadableLater(RuntimeException failure) {
    return failure instanceof CodecException codec && codec.isRetriable();
  }

  /**
   * Whether a process of another version, or with a registry, may read bytes that this one cannot:
   * they are a record, not arbitrary bytes.
   */
  public static boolean isReadableElsewhere(RuntimeException failure) {
    return !(failure instanceof CodecException codec)
        || !(codec.reason() == CodecException.Reason.MALFORMED
            || codec.reason() == CodecException.Reason.UNEXPECTED_TYPE);
  }

  /** Whether a key of the rules topic belongs to an announced schema. */
  public static boolean isAnnouncement(String key) {
    return key.startsWith(Topics.SCHEMA_KEY);
  }

  /** Makes records readable that are written with an announced schema. */
  public void learn(String key, byte[] announcement) {
    WriterSchema schema =
        WriterSchema.read(key.substring(Topics.SCHEMA_KEY.length()), announcement);
    codecs().forEach(codec -> codec.learn(schema));
  }

  private Stream<RecordCodec<?>> codecs() {
    return topics.all().stream()
        .filter(topic -> topic.valueSerde() instanceof RecordCodec<?>)
        .map(topic -> (RecordCodec<?>) topic.valueSerde());
  }

  private static <T extends WireRecord> T expect(
      Class<T> type, Topic<?, WireRecord> topic, byte[] value) {
    WireRecord record = read(topic, value);
    if (!type.isInstance(record)) {
      throw new IllegalArgumentException(
          "must be a %s: found a %s"
              .formatted(type.getSimpleName(), record.getClass().getSimpleName()));
    }
    return type.cast(record);
  }

  private static <T extends WireRecord> byte[] write(Topic<?, T> topic, T record) {
    return codec(topic).encode(record);
  }

  private static <T extends WireRecord> T read(Topic<?, T> topic, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("must have a value: topic=" + topic.name());
    }
    return codec(topic).decode(value);
  }

  private static <T extends WireRecord> RecordCodec<T> codec(Topic<?, T> topic) {
    Serde<T> serde = topic.valueSerde();
    return (RecordCodec<T>) serde;
  }
}
