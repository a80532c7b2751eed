package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The codec against a real registry. */
@Timeout(90)
class SchemaRegistryIT {
  /** Well above the client's timeouts, and a caller still waits for it. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final ExhaustedQuota RECORD = new ExhaustedQuota(3L, 1_000L, 0L, 0L);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static RegistryProcess registry;

  @BeforeAll
  @Timeout(270)
  static void startRegistry() throws IOException {
    registry = RegistryProcess.start(Path.of(".."), Path.of("target/registry.log"));
  }

  @AfterAll
  static void stopRegistry() throws InterruptedException {
    registry.close();
  }

  @Test
  void records_areReadByAnotherProcess() {
    RandomRecords records = new RandomRecords(11);
    try (Codecs writing = codecs(registry.url());
        Codecs reading = codecs(registry.url())) {
      RecordCodec<WireRecord> writer = RecordTypes.codecOfAll(writing);
      RecordCodec<WireRecord> reader = RecordTypes.codecOfAll(reading);
      RecordCodec<WireRecord> plain = RecordTypes.codecOfAll(Codecs.withoutRegistry());
      for (int i = 0; i < 200; i++) {
        WireRecord record = records.next();
        byte[] bytes = writer.encode(record);
        assertThat(bytes[0]).isZero();
        assertThat(reader.decode(bytes)).isEqualTo(record);
        assertThat(reader.decode(plain.encode(record))).isEqualTo(record);
      }
    }
  }

  @Test
  void record_isReadByWhoKnowsOnlyTheRegistry(TestInfo test) throws Exception {
    byte[] bytes = encode(codecs(registry.url()), test);

    int id = ByteBuffer.wrap(bytes, 1, 4).getInt();
    HttpResponse<String> response = registry.request("GET", "/schemas/ids/" + id, "");
    String registered = JSON.readTree(response.body()).get("schema").asText();
    Schema schema = new Schema.Parser().parse(registered);
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(schema)
            .read(null, DecoderFactory.get().binaryDecoder(bytes, 5, bytes.length - 5, null));

    assertThat(registered).doesNotContain("avro.java.string");
    assertThat(record.get("untilNanos")).isEqualTo(1_000L);
  }

  @Test
  void recordsOfAnOlderAndANewerVersion_areRead(TestInfo test) throws Exception {
    Schema older = AvroRecords.schemaOf(SchemaHistory.of("ExhaustedQuota").get(0));
    Schema newer =
        OtherVersion.newer(
            ExhaustedQuota.TYPE,
            "\"fields\":[",
            "\"fields\":[{\"name\":\"reason\",\"type\":\"string\",\"default\":\"\"},");
    int first = register(subject(test), older.toString());
    byte[] now = encode(codecs(registry.url()), test);
    int last = register(subject(test), newer.toString());

    try (Codecs codecs = codecs(registry.url())) {
      RecordCodec<ExhaustedQuota> reader = codecs.codec(topic(test), ExhaustedQuota.TYPE);
      assertThat(reader.decode(OtherVersion.write(first, older, RECORD, Map.of())))
          .isEqualTo(RECORD);
      assertThat(reader.decode(now)).isEqualTo(RECORD);
      assertThat(reader.decode(OtherVersion.write(last, newer, RECORD, Map.of("reason", "used"))))
          .isEqualTo(RECORD);
    }
    try (Codecs unregistered = Codecs.withoutRegistry()) {
      RecordCodec<ExhaustedQuota> reader = unregistered.codec(topic(test), ExhaustedQuota.TYPE);
      assertThat(reader.decode(OtherVersion.write(older, RECORD, Map.of()))).isEqualTo(RECORD);
    }
  }

  @Test
  void incompatibleSchema_isRefusedWithUrlAndSubject(TestInfo test) throws Exception {
    String subject = subject(test);
    registerFirst(subject, "{\"name\": \"untilNanos\", \"type\": \"string\"}");
    registry.request("PUT", "/config/" + subject, "{\"compatibility\": \"BACKWARD\"}");

    CodecException refused = fails(() -> encode(codecs(registry.url()), test));

    assertThat(refused.reason()).isEqualTo(Reason.REGISTRY_REFUSED);
    assertThat(refused)
        .hasMessageContaining(registry.url())
        .hasMessageContaining(subject)
        .hasMessageContaining("409")
        .hasMessageContaining("incompatible");
  }

  @Test
  void schemaOfTheFiles_isLookedUpWithoutRegistering(TestInfo test) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("schema.registry.url", registry.url());
    settings.put("auto.register.schemas", false);

    CodecException unknown = fails(() -> encode(Codecs.from(settings), test));
    byte[] registering = encode(codecs(registry.url()), test);

    assertThat(unknown.isRetriable()).isFalse();
    assertThat(unknown).hasMessageContaining(subject(test)).hasMessageContaining(registry.url());
    assertThat(encode(Codecs.from(settings), test)).isEqualTo(registering);
  }

  @Test
  void unknownId_isUnknown(TestInfo test) {
    CodecException unknown = fails(() -> decode(codecs(registry.url()), test, 1_000_000));

    assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA);
    assertThat(unknown).hasMessageContaining("id 1000000").hasMessageContaining(registry.url());
  }

  @Test
  void schemaThatIsNoAvro_isUnknown(TestInfo test) throws Exception {
    String schema =
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"object\"}";
    HttpResponse<String> response =
        registry.request(
            "POST",
            "/subjects/json/versions",
            JSON.writeValueAsString(Map.of("schemaType", "JSON", "schema", schema)));
    int id = JSON.readTree(response.body()).get("id").asInt();

    CodecException unknown = fails(() -> decode(codecs(registry.url()), test, id));

    assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA);
  }

  @Test
  void urlOfAnotherPath_asksForTheApis(TestInfo test) {
    CodecException wrong = fails(() -> encode(codecs(registry.host() + "/nowhere"), test));

    assertThat(wrong)
        .hasMessageContaining(registry.host() + "/nowhere")
        .hasMessageContaining(subject(test))
        .hasMessageContaining("URL of the registry's API");
  }

  @Test
  void registryThatIsDown_isRetriable(TestInfo test) throws IOException {
    String url = "http://127.0.0.1:" + RegistryProcess.freePort();

    CodecException down = fails(() -> encode(codecs(url), test));

    assertThat(down.isRetriable()).isTrue();
    assertThat(down)
        .hasMessageContaining(url)
        .hasMessageContaining(subject(test))
        .hasMessageContaining("cannot be reached");
  }

  @Test
  void registryThatDoesNotAnswer_isGivenUpSoon(TestInfo test) throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + silent.getLocalPort();

      CodecException down = fails(() -> encode(codecs(url), test));

      assertThat(down.isRetriable()).isTrue();
      assertThat(down).hasMessageContaining(url).hasMessageContaining("timed out");
    }
  }

  @Test
  void hostThatIsNone_isRetriable(TestInfo test) {
    CodecException down = fails(() -> encode(codecs("http://registry.invalid:8081"), test));

    assertThat(down.isRetriable()).isTrue();
    assertThat(down).hasMessageContaining("registry.invalid");
  }

  @Test
  void firstUrlDown_theNextIsUsed(TestInfo test) throws IOException {
    String urls = "http://127.0.0.1:" + RegistryProcess.freePort() + "," + registry.url();

    assertThat(encode(codecs(urls), test)).isNotEmpty();
  }

  private static Codecs codecs(String url) {
    return Codecs.from(Map.of("schema.registry.url", url));
  }

  private static String topic(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName();
  }

  private static String subject(TestInfo test) {
    return topic(test) + "-io.quotaenforcer.schemas.ExhaustedQuota";
  }

  private static byte[] encode(Codecs codecs, TestInfo test) {
    try (codecs) {
      return codecs.codec(topic(test), ExhaustedQuota.TYPE).encode(RECORD);
    }
  }

  private static ExhaustedQuota decode(Codecs codecs, TestInfo test, int id) {
    byte[] bytes =
        ByteBuffer.allocate(7).put((byte) 0).putInt(id).put((byte) 2).put((byte) 2).array();
    try (codecs) {
      return codecs.codec(topic(test), ExhaustedQuota.TYPE).decode(bytes);
    }
  }

  private static CodecException fails(ThrowingCallable call) {
    long start = System.nanoTime();
    CodecException failure = catchThrowableOfType(CodecException.class, call);
    assertThat(failure).isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    return failure;
  }

  private static void registerFirst(String subject, String field) throws Exception {
    String schema =
        "{\"type\": \"record\", \"name\": \"ExhaustedQuota\", \"namespace\": \"io.quotaenforcer.schemas\", "
            + "\"fields\": ["
            + field
            + "]}";
    register(subject, schema);
  }

  private static int register(String subject, String schema) throws Exception {
    HttpResponse<String> response =
        registry.request(
            "POST",
            "/subjects/" + subject + "/versions",
            JSON.writeValueAsString(Map.of("schema", schema)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body()).get("id").asInt();
  }
}
