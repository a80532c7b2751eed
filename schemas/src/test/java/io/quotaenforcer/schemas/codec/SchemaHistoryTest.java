package io.quotaenforcer.schemas.codec;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every schema that records were ever written with is known, and so is what it wrote. */
class SchemaHistoryTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<RecordType<?>> types() {
    return RecordTypes.ALL.stream();
  }

  static Stream<GoldenRecords> versions() {
    return types()
        .map(type -> type.shape().simpleName())
        .flatMap(
            name ->
                IntStream.rangeClosed(1, SchemaHistory.of(name).size())
                    .mapToObj(version -> new GoldenRecords(name, version)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void currentSchema_isTheLastOfItsHistory(RecordType<?> type) throws IOException {
    Schema current = AvroRecords.schemaOf(type);
    List<Schema> history = history(current.getName());
    String id = AvroRecords.writerSchema(current).id();
    List<String> known = history.stream().map(each -> AvroRecords.writerSchema(each).id()).toList();
    if (!known.contains(id) && GoldenRecords.areWritten()) {
      GoldenRecords.add(current, history.size() + 1);
      SchemaVersions.add(current, history.size() + 1);
      return;
    }

    assertThat(known)
        .as(
            "%s has changed: what processes of the new version write is a version %d of it. If the"
                + " change is meant, add the version with `mvn -pl schemas -am test"
                + " -Dtest=SchemaHistoryTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dhistory.write`, run the test again, and leave older versions as they are",
            current.getName(), history.size() + 1)
        .endsWith(id);
    assertThat(known).doesNotHaveDuplicates();
  }

  @Test
  void everyVersion_isTheOneThatWasPinned() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (RecordType<?> type : RecordTypes.ALL) {
      String name = type.shape().simpleName();
      List<Schema> history = history(name);
      for (int i = 0; i < history.size(); i++) {
        found.put(name + " " + (i + 1), SchemaVersions.fingerprint(history.get(i)));
      }
    }

    assertThat(found)
        .as(
            "a version that is pinned in schema-versions.txt was edited, taken away, or is new and"
                + " not pinned. Records of it are in topics: leave it as it is, and add another"
                + " version as currentSchema_isTheLastOfItsHistory says")
        .isEqualTo(SchemaVersions.pinned());
  }

  @ParameterizedTest
  @MethodSource("versions")
  void goldenRecord_carriesTheFingerprintOfItsVersion(GoldenRecords golden) throws IOException {
    String fingerprint =
        "%016x".formatted(ByteBuffer.wrap(golden.bytes()).order(LITTLE_ENDIAN).getLong(2));

    assertThat(fingerprint)
        .isEqualTo(SchemaVersions.pinned().get(golden.record() + " " + golden.version()));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyVersion_canBeReadAsTheCurrent(RecordType<?> type) {
    Schema current = AvroRecords.schemaOf(type);
    for (Schema written : history(current.getName())) {
      assertThat(SchemaCompatibility.checkReaderWriterCompatibility(current, written).getResult())
          .as("%s", AvroRecords.writerSchema(written).id())
          .isEqualTo(SchemaCompatibility.SchemaCompatibilityResult.compatible());
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void goldenRecord_isReadToWhatWasWritten(GoldenRecords golden) throws IOException {
    if (GoldenRecords.areWritten() && !golden.isThere()) {
      golden.write(history(golden.record()).get(golden.version() - 1));
    }

    WireRecord read = RecordTypes.codecOfAll(Codecs.withoutRegistry()).decode(golden.bytes());

    JsonNode written = JSON.readTree(golden.values());
    assertThat(only(written, JSON.readTree(AvroRecords.generic(read).toString())))
        .isEqualTo(written);
  }

  @Test
  void historyOfAnUnknownRecord_isEmpty() {
    assertThat(SchemaHistory.of("NoSuchRecord")).isEmpty();
  }

  private static List<Schema> history(String record) {
    return SchemaHistory.of(record).stream().map(AvroRecords::schemaOf).toList();
  }

  /** Without the fields of later versions. */
  private static JsonNode only(JsonNode written, JsonNode read) {
    if (written instanceof ObjectNode && read instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        if (written.has(name)) {
          object.set(name, only(written.get(name), object.get(name)));
        } else {
          object.remove(name);
        }
      }
      return object;
    }
    if (written.isArray() && read.isArray()) {
      var items = JSON.createArrayNode();
      for (int i = 0; i < read.size(); i++) {
        items.add(i < written.size() ? only(written.get(i), read.get(i)) : read.get(i));
      }
      return items;
    }
    return read;
  }
}
