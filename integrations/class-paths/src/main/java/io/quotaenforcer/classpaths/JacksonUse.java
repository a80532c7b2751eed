package io.quotaenforcer.classpaths;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;

/** The service's own use of Jackson: for JSON that only the service reads. */
final class JacksonUse {
  private static final String JSON = "{\"id\":\"a\",\"amount\":7}";

  private JacksonUse() {}

  /**
   * Reads JSON and writes it again.
   *
   * @return the version of Jackson
   */
  static String run() {
    ObjectMapper mapper = new ObjectMapper();
    try {
      JsonNode order = mapper.readTree(JSON);
      String written = mapper.writeValueAsString(order);
      if (!written.equals(JSON)) {
        throw new IllegalStateException("must be written as it was read: json=" + written);
      }
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
    return mapper.version().toString();
  }
}
