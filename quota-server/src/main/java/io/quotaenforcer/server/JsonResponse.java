package io.quotaenforcer.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;

/** Answers in JSON. An error is an object with the text {@code error}. */
public final class JsonResponse {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int RETRY_SECONDS = 1;

  private JsonResponse() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static HttpResponse of(HttpStatus status, ObjectNode body) {
    return of(ResponseHeaders.builder(status), body);
  }

  public static HttpResponse error(HttpStatus status, String reason) {
    return of(status, object().put("error", reason));
  }

  /** The answer of a server at its limit of concurrent work. */
  public static HttpResponse busy(String reason) {
    return of(
        ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
            .setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS),
        object().put("error", reason + "; ask again soon").put("category", "busy"));
  }

  public static HttpResponse of(ResponseHeadersBuilder headers, ObjectNode body) {
    headers
        .contentType(MediaType.JSON_UTF_8)
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    try {
      return HttpResponse.of(headers.build(), HttpData.wrap(MAPPER.writeValueAsBytes(body)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("must be JSON: body=" + body, e);
    }
  }
}
