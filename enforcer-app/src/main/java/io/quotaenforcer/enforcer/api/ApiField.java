package io.quotaenforcer.enforcer.api;

/**
 * A parameter of a route, or a field of its answer.
 *
 * @param type of JSON Schema
 * @param required whether it is always there
 * @param doc one sentence
 */
public record ApiField(String name, String type, boolean required, String doc) {
  static ApiField text(String name, String doc) {
    return new ApiField(name, "string", true, doc);
  }

  static ApiField integer(String name, String doc) {
    return new ApiField(name, "integer", true, doc);
  }

  static ApiField number(String name, String doc) {
    return new ApiField(name, "number", true, doc);
  }

  static ApiField flag(String name, String doc) {
    return new ApiField(name, "boolean", true, doc);
  }

  static ApiField list(String name, String doc) {
    return new ApiField(name, "array", true, doc);
  }

  static ApiField object(String name, String doc) {
    return new ApiField(name, "object", true, doc);
  }

  ApiField optional() {
    return new ApiField(name, type, false, doc);
  }
}
