package io.quotaenforcer.gateway.check;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.schemas.setting.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request in JSON: {@code {"attributes": {"user": "42"}, "cost": 1, "maxWait": "200ms"}}.
 *
 * @param maxWait how long it may wait for its permits, if the program says so
 */
record DecideBody(Request request, Optional<Duration> maxWait) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
  private static final Set<String> FIELDS = Set.of("attributes", "cost", "maxWait");
  private static final String FORM =
      "; send {\"attributes\": {\"user\": \"42\"}, \"cost\": 1, \"maxWait\": \"200ms\"}, of which"
          + " attributes alone must be there";
  private static final int MOST_ATTRIBUTES = 64;

  /**
   * Reads a body.
   *
   * @throws IllegalArgumentException saying what is wrong, and what to send instead
   */
  static DecideBody parse(byte[] body) {
    JsonNode root = read(body);
    for (Iterator<String> names = root.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!FIELDS.contains(name)) {
        throw wrong("has an unknown field " + quoted(name));
      }
    }
    return new DecideBody(new Request(attributes(root.get("attributes")), cost(root)), wait(root));
  }

  private static JsonNode read(byte[] body) {
    try {
      JsonNode root = MAPPER.readTree(body);
      if (root == null || !root.isObject()) {
        throw wrong("must be a JSON object");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw wrong("is no JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw wrong("cannot be read");
    }
  }

  private static Map<String, String> attributes(JsonNode node) {
    if (node == null || !node.isObject() || node.size() > MOST_ATTRIBUTES) {
      throw wrong("must have attributes, an object of at most " + MOST_ATTRIBUTES + " texts");
    }
    Map<String, String> attributes = new HashMap<>();
    node.fields()
        .forEachRemaining(
            field -> {
              String name = field.getKey();
              if (!field.getValue().isTextual()) {
                throw wrong("has an attribute that is no text: " + quoted(name));
              }
              attributes.put(name, field.getValue().textValue());
            });
    return attributes;
  }

  private static long cost(JsonNode root) {
    JsonNode node = root.get("cost");
    if (node == null) {
      return 1;
    }
    boolean fits =
        node.isIntegralNumber()
            && node.canConvertToLong()
            && node.longValue() >= 1
            && node.longValue() <= PermitCount.MAX_COST;
    if (!fits) {
      throw wrong("has a cost that is no whole number from 1 to " + PermitCount.MAX_COST);
    }
    return node.longValue();
  }

  private static Optional<Duration> wait(JsonNode root) {
    JsonNode node = root.get("maxWait");
    if (node == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationText.parse(node.isTextual() ? node.textValue() : ""));
    } catch (IllegalArgumentException e) {
      throw wrong("has a maxWait that is no duration such as \"200ms\"");
    }
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("the body " + what + FORM);
  }

  private static String quoted(String name) {
    return "\"" + name.substring(0, Math.min(name.length(), 60)) + "\"";
  }
}
