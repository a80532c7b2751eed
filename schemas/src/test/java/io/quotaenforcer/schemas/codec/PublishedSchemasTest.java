package io.quotaenforcer.schemas.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.CountedBy;
import io.quotaenforcer.schemas.Outcome;
import io.quotaenforcer.schemas.RequestEvent;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;

/**
 * The schemas for programs in other languages: each record's in a file of its own, with all types
 * that it uses. With {@code -Ddocs.write} they are written.
 */
class PublishedSchemasTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PUBLISHED = Path.of("published");

  /** Where other languages have a copy beside their code. */
  private static final Map<String, String> COPIES =
      Map.of(
          "integrations/node/RequestEvent.avsc", "RequestEvent",
          "integrations/python/quota_enforcer/RequestEvent.avsc", "RequestEvent");

  @Test
  void files_areTheSchemasOfTheRecords() throws IOException {
    Map<Path, String> files = new LinkedHashMap<>();
    for (RecordType<?> type : RecordTypes.ALL) {
      files.put(PUBLISHED.resolve(type.shape().simpleName() + ".avsc"), text(type));
    }
    files.put(PUBLISHED.resolve("fingerprints.txt"), fingerprints());
    COPIES.forEach((copy, record) -> files.put(ROOT.resolve(copy), text(named(record))));

    for (Map.Entry<Path, String> file : files.entrySet()) {
      assertIsOrWrite(file.getKey(), file.getValue());
    }

    try (Stream<Path> found = Files.list(PUBLISHED)) {
      Set<Path> published = new TreeSet<>(files.keySet());
      published.removeIf(file -> !file.startsWith(PUBLISHED));
      assertThat(found).containsExactlyInAnyOrderElementsOf(published);
    }
  }

  @Test
  void file_read_hasTheFingerprintThatRecordsCarry() throws IOException {
    for (RecordType<?> type : RecordTypes.ALL) {
      Schema read =
          new Schema.Parser()
              .parse(PUBLISHED.resolve(type.shape().simpleName() + ".avsc").toFile());

      assertThat(AvroRecords.writerSchema(read).id()).isEqualTo(WriterSchema.of(type.shape()).id());
    }
  }

  @Test
  void bytesThatThePageShows_areTheEventThatItSays() throws IOException {
    RequestEvent event =
        new RequestEvent("a-1", Map.of("k", "v"), 1, 2, Outcome.DEFERRED, CountedBy.ENFORCER, "");
    byte[] written =
        Codecs.withoutRegistry().codec("quota.request-events", RequestEvent.TYPE).encode(event);

    assertThat(ROOT.resolve("topology-docs/other-languages.md"))
        .content()
        .contains("`" + HexFormat.of().formatHex(written) + "`")
        .contains("`" + firstBytes(RequestEvent.TYPE) + "`");
  }

  @Test
  void firstBytes_areThoseOfAvrosSingleObjectEncoding() throws IOException {
    RecordType<?> type = named("ExhaustedQuota");
    Schema schema = AvroRecords.schemaOf(type);
    GenericRecord record = new GenericData.Record(schema);
    schema.getFields().forEach(field -> record.put(field.name(), 0L));
    ByteBuffer written = new BinaryMessageEncoder<>(GenericData.get(), schema).encode(record);

    assertThat(HexFormat.of().formatHex(written.array(), 0, 10)).isEqualTo(firstBytes(type));
  }

  private static void assertIsOrWrite(Path file, String text) throws IOException {
    if (System.getProperty("docs.write") != null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    }
    assertThat(file)
        .as(
            "%s differs from the schema; run: mvn -pl schemas -am test -Ddocs.write"
                + " -Dtest=PublishedSchemasTest -Dsurefire.failIfNoSpecifiedTests=false",
            file)
        .usingCharset(UTF_8)
        .hasContent(text);
  }

  private static RecordType<?> named(String record) {
    return RecordTypes.ALL.stream()
        .filter(type -> type.shape().simpleName().equals(record))
        .findFirst()
        .orElseThrow();
  }

  private static String text(RecordType<?> type) {
    return AvroRecords.schemaOf(type).toString(true) + "\n";
  }

  private static String fingerprints() {
    return """
        # Of each record: its fingerprint (CRC-64-AVRO of the parsing canonical form), the first ten
        # bytes of its single-object encoding, and its subject in a schema registry for topics under
        # the default prefix.
        """
        + RecordTypes.ALL.stream()
            .map(
                type ->
                    "%s %016x %s %s\n"
                        .formatted(
                            type.shape().simpleName(),
                            type.shape().fingerprint(),
                            firstBytes(type),
                            subject(type)))
            .collect(joining());
  }

  private static String firstBytes(RecordType<?> type) {
    return HexFormat.of().formatHex(WireFormat.singleObjectHeader(type.shape().fingerprint()));
  }

  /** Reports of request events are written as those of the first topic that carries reports. */
  private static String subject(RecordType<?> type) {
    return Topics.under(Topics.DEFAULT_PREFIX, Topics.DEFAULT_PARTITIONS, Codecs.withoutRegistry())
        .all()
        .stream()
        .filter(topic -> topic.about().values().contains(type))
        .map(topic -> topic.name() + "-" + type.name())
        .findFirst()
        .orElseThrow();
  }
}
