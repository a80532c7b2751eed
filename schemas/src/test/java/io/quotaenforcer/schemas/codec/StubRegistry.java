package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_UNAVAILABLE;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNKNOWN_SCHEMA;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** A registry in memory: ids count up from 1; it can be away, and counts what it is asked. */
final class StubRegistry implements SchemaRegistry {
  private final List<Schema> schemas = new ArrayList<>();
  private final List<String> subjects = new ArrayList<>();
  private boolean away;
  private boolean closed;
  private int requests;

  synchronized int add(Schema schema) {
    schemas.add(schema);
    return schemas.size();
  }

  synchronized void away(boolean away) {
    this.away = away;
  }

  synchronized int requests() {
    return requests;
  }

  synchronized List<String> subjects() {
    return List.copyOf(subjects);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized int idOf(String subject, String text) {
    request();
    subjects.add(subject);
    Schema schema = PortableSchemas.portable(new Schema.Parser().parse(text));
    int index = schemas.indexOf(schema);
    return index >= 0 ? index + 1 : add(schema);
  }

  @Override
  public synchronized String schemaOf(int id) {
    request();
    if (id < 1 || id > schemas.size()) {
      throw new CodecException(UNKNOWN_SCHEMA, "no schema " + id);
    }
    return SchemaNormalization.toParsingForm(schemas.get(id - 1));
  }

  @Override
  public synchronized boolean accepts(String subject, String text) {
    request();
    return true;
  }

  @Override
  public String location() {
    return "stub";
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void request() {
    requests++;
    if (away) {
      throw new CodecException(REGISTRY_UNAVAILABLE, "stub is away");
    }
  }
}
