package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.DeferralVerdict;
import io.quotaenforcer.schemas.Enforcement;
import io.quotaenforcer.schemas.LimitCause;
import io.quotaenforcer.schemas.OnDelete;
import io.quotaenforcer.schemas.OnUnavailable;
import io.quotaenforcer.schemas.Priority;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.Release;
import io.quotaenforcer.schemas.avro.EnumType;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import io.quotaenforcer.schemas.mapping.RuleMapping;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes of two versions beside each other: what one writes, the other reads. */
class OldAndNewTest {
  private static final QuotaRule RULE = rule();

  private static final Schema WITH_A_NEW_FIELD =
      OtherVersion.newer(
          QuotaRule.TYPE,
          "{\"name\":\"version\"",
          "{\"name\":\"owner\",\"type\":\"string\",\"default\":\"\"},{\"name\":\"version\"");

  private static final Schema WITH_A_NEW_ENFORCEMENT =
      OtherVersion.newer(QuotaRule.TYPE, "\"PER_INSTANCE\"", "\"PER_INSTANCE\",\"ADAPTIVE\"");

  private final StubRegistry registry = new StubRegistry();

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());

  static Stream<Schema> versionsOfRules() {
    return SchemaHistory.of("QuotaRule").stream().map(AvroRecords::schemaOf);
  }

  @ParameterizedTest
  @MethodSource("versionsOfRules")
  void ruleOfAnOlderVersion_isInForceAsItWas(Schema older) {
    Rule rule = wire.decodeRule(OtherVersion.write(older, RULE, Map.of()));

    assertThat(rule).isEqualTo(RuleMapping.fromRecord(RULE));
  }

  @ParameterizedTest
  @MethodSource("versionsOfRules")
  void ruleOfAnOlderVersion_withARegistry_isInForceAsItWas(Schema older) {
    byte[] bytes = OtherVersion.write(registry.add(older), older, RULE, Map.of());

    Rule rule = Wire.of("quota.", Codecs.with(registry)).decodeRule(bytes);

    assertThat(rule).isEqualTo(RuleMapping.fromRecord(RULE));
  }

  @Test
  void ruleOfANewerVersion_unannounced_saysWhatToDo() {
    byte[] bytes = OtherVersion.write(WITH_A_NEW_FIELD, RULE, Map.of("owner", "ann"));

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> wire.decodeRule(bytes))
        .withMessageContaining("written by a newer version")
        .withMessageContaining("upgrade this process first")
        .extracting(CodecException::reason)
        .isEqualTo(Reason.UNKNOWN_SCHEMA);
  }

  @Test
  void ruleOfANewerVersion_announced_isRead() {
    announce(WITH_A_NEW_FIELD);

    Rule rule = wire.decodeRule(OtherVersion.write(WITH_A_NEW_FIELD, RULE, Map.of("owner", "ann")));

    assertThat(rule).isEqualTo(RuleMapping.fromRecord(RULE));
  }

  @Test
  void ruleOfANewerVersion_withARegistry_isRead() {
    int id = registry.add(WITH_A_NEW_FIELD);
    byte[] bytes = OtherVersion.write(id, WITH_A_NEW_FIELD, RULE, Map.of("owner", "ann"));

    Rule rule = Wire.of("quota.", Codecs.with(registry)).decodeRule(bytes);

    assertThat(rule).isEqualTo(RuleMapping.fromRecord(RULE));
  }

  static Stream<RecordType<?>> types() {
    return RecordTypes.ALL.stream();
  }

  /** Reports, snapshots, and whatever else: with a field before all others. */
  @ParameterizedTest
  @MethodSource("types")
  void recordOfANewerVersion_ofEveryType_isReadOnceItIsKnown(RecordType<?> type) {
    WireRecord record = new RandomRecords(12).next(type);
    Schema newer =
        OtherVersion.newer(
            type,
            "\"fields\":[",
            "\"fields\":[{\"name\":\"new\",\"type\":\"long\",\"default\":0},");
    RecordCodec<WireRecord> announced = RecordTypes.codecOfAll(Codecs.withoutRegistry());
    RecordCodec<WireRecord> registered = RecordTypes.codecOfAll(Codecs.with(registry));
    byte[] plain = OtherVersion.write(newer, record, Map.of("new", 7L));
    byte[] withId = OtherVersion.write(registry.add(newer), newer, record, Map.of("new", 7L));

    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> announced.decode(plain));
    announced.learn(AvroRecords.writerSchema(newer));

    assertThat(announced.decode(plain)).isEqualTo(record);
    assertThat(registered.decode(withId)).isEqualTo(record);
  }

  @Test
  void announcements_areOfEverythingWrittenAndReadByOthers() {
    Wire other = Wire.of("quota.", Codecs.withoutRegistry());

    assertThat(wire.announcements()).hasSize(RecordTypes.ALL.size());
    wire.announcements().forEach(other::learn);
    ExhaustedQuota quota = new ExhaustedQuota(1, 2, 0, 0);
    assertThat(other.decodeExhausted(wire.encode(quota))).isEqualTo(quota);
  }

  @Test
  void announcements_withARegistry_areNotNeeded() {
    assertThat(Wire.of("quota.", Codecs.with(registry)).announcements()).isEmpty();
  }

  @Test
  void announcementOfAnotherSchema_isRefused() {
    WriterSchema newer = AvroRecords.writerSchema(WITH_A_NEW_FIELD);
    WriterSchema other = AvroRecords.writerSchema(WITH_A_NEW_ENFORCEMENT);

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> wire.learn(Topics.SCHEMA_KEY + newer.id(), other.bytes()))
        .withMessageContaining(newer.id());
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () -> wire.learn(Topics.SCHEMA_KEY + newer.id(), "{".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void announcementOfARecordThatIsNotKnownHere_isNoMatter() {
    announce(new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"New\",\"fields\":[]}"));

    assertThat(wire.decodeRule(wire.encode(RuleMapping.fromRecord(RULE), 1)))
        .isEqualTo(RuleMapping.fromRecord(RULE));
  }

  @Test
  void announcementsWithoutEnd_areRefused() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                announce(
                    OtherVersion.newer(
                        QuotaRule.TYPE,
                        "{\"name\":\"version\"",
                        "{\"name\":\"n%d\",\"type\":\"long\"},{\"name\":\"version\"".formatted(i)));
              }
            })
        .withMessageContaining("must be at most");
  }

  @Test
  void newEnforcement_isReadAsNoOther() {
    announce(WITH_A_NEW_ENFORCEMENT);
    byte[] bytes =
        OtherVersion.write(WITH_A_NEW_ENFORCEMENT, RULE, Map.of("enforcement", symbol("ADAPTIVE")));
    byte[] known = OtherVersion.write(WITH_A_NEW_ENFORCEMENT, RULE, Map.of());

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> wire.decodeRule(bytes))
        .extracting(CodecException::reason)
        .isEqualTo(Reason.INCOMPATIBLE_SCHEMA);
    assertThat(wire.decodeRule(known)).isEqualTo(RuleMapping.fromRecord(RULE));
  }

  @Test
  void newOnUnavailable_isReadAsDeny() {
    Schema newer = OtherVersion.newer(QuotaRule.TYPE, "\"DENY\"]", "\"DENY\",\"FREEZE\"]");
    announce(newer);

    Rule rule =
        wire.decodeRule(OtherVersion.write(newer, RULE, Map.of("onUnavailable", symbol("FREEZE"))));

    assertThat(rule.onUnavailable()).isEqualTo(io.quotaenforcer.core.rule.OnUnavailable.DENY);
  }

  /** The reading of a symbol of a newer version; all others make the record unreadable. */
  @Test
  void enumDefaults_areThoseThatAdmitNoMore() throws Exception {
    Map<Class<?>, Object> defaults =
        Map.of(
            OnUnavailable.class, OnUnavailable.DENY,
            OnDelete.class, OnDelete.DEAD_LETTER,
            Release.class, Release.STEADY,
            Priority.class, Priority.NORMAL,
            DeferralVerdict.class, DeferralVerdict.UNKNOWN,
            LimitCause.class, LimitCause.UNSAID);
    for (String name : enums()) {
      Class<?> type = Class.forName("io.quotaenforcer.schemas." + name);
      EnumType<?> read = (EnumType<?>) type.getField("TYPE").get(null);
      assertThat((Object) read.otherwise()).as(name).isEqualTo(defaults.get(type));
    }
    assertThat(enums()).contains("OnDelete", Enforcement.class.getSimpleName());
  }

  private static List<String> enums() throws Exception {
    try (Stream<Path> files = Files.list(Path.of("src/main/avro"))) {
      List<String> names =
          files.map(file -> file.getFileName().toString().replace(".avsc", "")).sorted().toList();
      return names.stream().filter(name -> isEnum("io.quotaenforcer.schemas." + name)).toList();
    }
  }

  private static boolean isEnum(String type) {
    try {
      return Class.forName(type).isEnum();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private void announce(Schema schema) {
    WriterSchema announced = AvroRecords.writerSchema(schema);
    wire.learn(Topics.SCHEMA_KEY + announced.id(), announced.bytes());
  }

  private static Object symbol(String name) {
    Schema any = Schema.createEnum("Any", null, null, List.of(name));
    return new GenericData.EnumSymbol(any, name);
  }

  private static QuotaRule rule() {
    Rule rule =
        Rule.of(
            new RuleId("posts", "per-user"), List.of("user"), new FixedWindow(2, 1_000_000_000L));
    return RuleMapping.toRecord(rule.withVersion(2, 1), 1);
  }
}
