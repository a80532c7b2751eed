package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_REFUSED;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_UNAVAILABLE;
import static io.quotaenforcer.schemas.codec.CodecException.Reason.UNKNOWN_SCHEMA;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * A registry with Confluent's REST API.
 *
 * <p>The only class that touches Confluent's; it is loaded only when a registry is configured.
 */
final class ConfluentSchemaRegistry implements SchemaRegistry {
  /** Schemas in each of the client's own caches. */
  private static final int CAPACITY = 1_000;

  /**
   * Error codes of the REST API ("Errors" in its reference): no such subject, version or schema.
   */
  private static final Set<Integer> NOT_FOUND = Set.of(40401, 40402, 40403);

  private final RegistrySettings settings;
  private final SchemaRegistryClient client;

  private ConfluentSchemaRegistry(RegistrySettings settings, SchemaRegistryClient client) {
    this.settings = settings;
    this.client = client;
  }

  static SchemaRegistry open(RegistrySettings settings) {
    return new ConfluentSchemaRegistry(
        settings,
        new CachedSchemaRegistryClient(
            settings.urls(),
            CAPACITY,
            List.of(new AvroSchemaProvider()),
            settings.client(),
            Map.of()));
  }

  @Override
  public int idOf(String subject, String schema) {
    ParsedSchema portable =
        new AvroSchema(PortableSchemas.portable(new Schema.Parser().parse(schema)));
    return settings.autoRegister()
        ? ask("register", subject, () -> client.register(subject, portable))
        : ask("look up", subject, () -> client.getId(subject, portable));
  }

  @Override
  public String schemaOf(int id) {
    ParsedSchema found = ask("read", "id " + id, () -> client.getSchemaById(id));
    if (found.rawSchema() instanceof Schema schema) {
      return SchemaNormalization.toParsingForm(schema);
    }
    throw new CodecException(
        UNKNOWN_SCHEMA, "schema id %d of %s is no Avro schema".formatted(id, location()));
  }

  @Override
  public boolean accepts(String subject, String schema) {
    ParsedSchema portable =
        new AvroSchema(PortableSchemas.portable(new Schema.Parser().parse(schema)));
    return ask("compare", subject, () -> client.testCompatibility(subject, portable));
  }

  @Override
  public String location() {
    return settings.location();
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Request<T> {
    T send() throws IOException, RestClientException;
  }

  private <T> T ask(String verb, String what, Request<T> request) {
    String attempt = "schema registry %s, %s %s: ".formatted(location(), verb, what);
    try {
      return request.send();
    } catch (RestClientException e) {
      throw new CodecException(reasonOf(e), attempt + explain(e), e);
    } catch (JsonProcessingException e) {
      throw new CodecException(
          REGISTRY_UNAVAILABLE,
          attempt + "what answers is no registry (is this the URL of the registry's API?)",
          e);
    } catch (IOException e) {
      if (isAboutTheSchema(e)) {
        throw new CodecException(UNKNOWN_SCHEMA, attempt + "no Avro schema: " + e.getMessage(), e);
      }
      throw new CodecException(REGISTRY_UNAVAILABLE, attempt + "cannot be reached: " + e, e);
    } catch (RuntimeException e) {
      throw new CodecException(UNKNOWN_SCHEMA, attempt + e, e);
    }
  }

  /** A schema of another kind than Avro, or a broken one: the client has no type for it. */
  private static boolean isAboutTheSchema(IOException e) {
    return String.valueOf(e.getMessage()).startsWith("Invalid schema");
  }

  private static CodecException.Reason reasonOf(RestClientException e) {
    if (NOT_FOUND.contains(e.getErrorCode())) {
      return UNKNOWN_SCHEMA;
    }
    return e.getStatus() >= 400 && e.getStatus() < 500 && e.getStatus() != 429
        ? REGISTRY_REFUSED
        : REGISTRY_UNAVAILABLE;
  }

  private static String explain(RestClientException e) {
    String hint =
        switch (e.getStatus()) {
          case 401, 403 -> " (check basic.auth.* or bearer.auth.*)";
          case 404 ->
              NOT_FOUND.contains(e.getErrorCode())
                  ? ""
                  : " (is this the URL of the registry's API?)";
          case 409 -> " (the schema is incompatible with the subject's earlier one)";
          default -> "";
        };
    return "HTTP %d, %s%s".formatted(e.getStatus(), e.getMessage(), hint);
  }
}
