package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A body that is a JSON object with known fields. Reading a wrong one throws what is wrong. */
record JsonBody(JsonNode root) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  static JsonBody of(ApiCall call, String... known) {
    JsonNode root;
    try {
      root = MAPPER.readTree(call.body());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("must be a JSON object: the body is none", e);
    }
    if (root == null || !root.isObject()) {
      throw new IllegalArgumentException("must be a JSON object: the body is none");
    }
    Set<String> names = Set.of(known);
    root.fieldNames()
        .forEachRemaining(
            name -> {
              if (!names.contains(name)) {
                throw new IllegalArgumentException(
                    "must be one of " + names.stream().sorted().toList() + ": " + name);
              }
            });
    return new JsonBody(root);
  }

  Optional<String> text(String name, int mostChars) {
    JsonNode value = root.path(name);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(text(name, value, mostChars));
  }

  String given(String name, int mostChars) {
    return text(name, mostChars)
        .orElseThrow(() -> new IllegalArgumentException("must be given: " + name));
  }

  boolean flag(String name) {
    JsonNode value = root.path(name);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new IllegalArgumentException("must be true or false: " + name);
    }
    return value.asBoolean();
  }

  List<String> texts(String name, int most, int mostChars) {
    JsonNode values = root.path(name);
    if (!values.isArray() || values.isEmpty() || values.size() > most) {
      throw new IllegalArgumentException("must be an array of 1 to " + most + ": " + name);
    }
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(text(name, value, mostChars)));
    return texts;
  }

  private static String text(String name, JsonNode value, int mostChars) {
    if (!value.isTextual() || value.asText().isEmpty() || value.asText().length() > mostChars) {
      throw new IllegalArgumentException(
          "must be a text of 1 to " + mostChars + " characters: " + name);
    }
    return value.asText();
  }
}
