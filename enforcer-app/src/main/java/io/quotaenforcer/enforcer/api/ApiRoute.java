package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import io.quotaenforcer.server.access.Role;
import java.util.List;
import java.util.Optional;

/**
 * One operation of the API, of which the server, the OpenAPI document and the page are made.
 *
 * @param path with parameters in braces
 * @param role that may call it; empty when everybody may
 * @param query its parameters
 * @param body of the request; empty for none
 * @param answer fields of the answer, when it succeeds; of each event, when these are the answer
 */
public record ApiRoute(
    HttpMethod method,
    String path,
    Optional<Role> role,
    String doc,
    List<ApiField> query,
    Optional<Body> body,
    List<ApiField> answer,
    Reply reply) {
  static final String PREFIX = "/api/v1";
  static final MediaType YAML = MediaType.parse("application/yaml");

  /** The form of an answer. */
  public enum Reply {
    /** An object. */
    JSON,
    /** The same; or events of its progress and then of the object, for who accepts these. */
    JSON_OR_EVENTS,
    /** Server-sent events, which go on. */
    EVENTS
  }

  /** A body and its longest form. */
  public record Body(MediaType type, int mostBytes, String doc) {}

  public ApiRoute {
    query = List.copyOf(query);
    answer = List.copyOf(answer);
  }

  static ApiRoute get(String path, String doc) {
    return new ApiRoute(
        HttpMethod.GET,
        PREFIX + path,
        Optional.of(Role.VIEWER),
        doc,
        List.of(),
        Optional.empty(),
        List.of(),
        Reply.JSON);
  }

  static ApiRoute of(HttpMethod method, String path, Role role, Body body, String doc) {
    return new ApiRoute(
        method,
        PREFIX + path,
        Optional.of(role),
        doc,
        List.of(),
        Optional.of(body),
        List.of(),
        Reply.JSON);
  }

  ApiRoute forEverybody() {
    return new ApiRoute(method, path, Optional.empty(), doc, query, body, answer, reply);
  }

  ApiRoute asking(ApiField... parameters) {
    return new ApiRoute(method, path, role, doc, List.of(parameters), body, answer, reply);
  }

  ApiRoute answering(ApiField... fields) {
    return new ApiRoute(method, path, role, doc, query, body, List.of(fields), reply);
  }

  ApiRoute replying(Reply form) {
    return new ApiRoute(method, path, role, doc, query, body, answer, form);
  }
}
