package io.quotaenforcer.schemas.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/** Schemas as in {@code src/main/avro}, without what the generator adds for Java. */
final class PortableSchemas {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PortableSchemas() {}

  static Schema portable(Schema schema) {
    try {
      JsonNode tree = JSON.readTree(schema.toString());
      strip(tree);
      return new Schema.Parser().parse(tree.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("must be an Avro schema: schema=" + schema, e);
    }
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(GenericData.STRING_PROP);
    }
    node.forEach(PortableSchemas::strip);
  }
}
