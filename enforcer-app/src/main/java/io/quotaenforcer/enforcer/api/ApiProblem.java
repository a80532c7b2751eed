package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.quotaenforcer.server.JsonResponse;
import java.util.List;
import java.util.Locale;

/** A request that is not done, and the answer that says why. */
final class ApiProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int RETRY_SECONDS = 1;

  private final transient Kind kind;
  private final int retrySeconds;

  /** What its caller can do about it. */
  enum Kind {
    INVALID(HttpStatus.BAD_REQUEST, "The request is wrong: correct it."),
    NO_TOKEN(HttpStatus.UNAUTHORIZED, "Send a token: Authorization: Bearer TOKEN."),
    NOT_ALLOWED(HttpStatus.FORBIDDEN, "The token's role may not do this."),
    CLOSED(HttpStatus.FORBIDDEN, "Nobody may ask: set http.api.tokens.file."),
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is none; asking again does not help."),
    NOT_PUBLISHED(
        HttpStatus.CONFLICT, "Nothing was published, for the reason given: look, and repeat."),
    NOT_DONE(HttpStatus.CONFLICT, "It was not done, for the reason given: look, and repeat."),
    CHANGED(HttpStatus.PRECONDITION_FAILED, "The rule has another version: read it again."),
    TOO_LARGE(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "The body is longer than it may be."),
    UNSUPPORTED(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body is of another type."),
    UNCONDITIONAL(HttpStatus.PRECONDITION_REQUIRED, "Send If-Match, or If-None-Match: *."),
    TOO_MANY(
        HttpStatus.TOO_MANY_REQUESTS,
        "This address asks too often, or there is as much of this as may be: wait for"
            + " Retry-After."),
    NOT_READY(HttpStatus.SERVICE_UNAVAILABLE, "An enforcer starts or takes over: ask again soon."),
    BUSY(HttpStatus.SERVICE_UNAVAILABLE, "As much as may is worked on: ask again soon.");

    private final HttpStatus status;
    private final String doc;

    Kind(HttpStatus status, String doc) {
      this.status = status;
      this.doc = doc;
    }

    HttpStatus status() {
      return status;
    }

    String doc() {
      return doc;
    }

    /** The category in the answer. */
    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  ApiProblem(Kind kind, String message) {
    this(kind, message, RETRY_SECONDS);
  }

  /**
   * @param retrySeconds after which it is worth asking again, where that helps
   */
  ApiProblem(Kind kind, String message, int retrySeconds) {
    super(message);
    this.kind = kind;
    this.retrySeconds = retrySeconds;
  }

  ApiProblem(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retrySeconds = RETRY_SECONDS;
  }

  Kind kind() {
    return kind;
  }

  HttpResponse response() {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(kind.status);
    if (kind == Kind.NO_TOKEN) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    if (List.of(Kind.TOO_MANY, Kind.NOT_READY, Kind.BUSY).contains(kind)) {
      headers.setInt(HttpHeaderNames.RETRY_AFTER, retrySeconds);
    }
    return JsonResponse.of(
        headers,
        JsonResponse.object()
            .put("error", String.valueOf(getMessage()))
            .put("category", kind.word()));
  }
}
