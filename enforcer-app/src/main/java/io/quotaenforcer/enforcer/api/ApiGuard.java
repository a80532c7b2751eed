package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Caller;
import io.quotaenforcer.server.access.Role;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Who may make a request. A caller is known by nothing but the token in its {@code Authorization}
 * header, which no browser adds by itself: a page of another site cannot act for whoever looks at
 * it, and cookies mean nothing here.
 */
final class ApiGuard {
  private static final Caller ANYBODY = new Caller("anybody", Role.VIEWER);

  private final AccessTokens tokens;
  private final CallerPace pace;

  ApiGuard(AccessTokens tokens, CallerPace pace) {
    this.tokens = tokens;
    this.pace = pace;
  }

  /**
   * Looks at the address only: cheap, and before anything else.
   *
   * @throws ApiProblem if it asks too often
   */
  void checkPace(InetAddress address) {
    if (!pace.admits(address)) {
      throw new ApiProblem(Kind.TOO_MANY, "this address sends more requests than it may");
    }
  }

  /**
   * Reads the file of tokens.
   *
   * @throws ApiProblem if nobody is known by the token
   */
  Caller caller(ApiRoute route, RequestHeaders headers) {
    if (route.role().isEmpty()) {
      return ANYBODY;
    }
    AccessTokens.Answer answer = tokens.judge(headers.get(HttpHeaderNames.AUTHORIZATION));
    if (answer instanceof AccessTokens.Answer.Closed) {
      throw new ApiProblem(
          Kind.CLOSED,
          "nobody may ask the API: set http.api.tokens.file of this enforcer, and send one of its"
              + " tokens");
    }
    if (!(answer instanceof AccessTokens.Answer.Known known)) {
      throw new ApiProblem(
          Kind.NO_TOKEN,
          "send a token that http.api.tokens.file knows: Authorization: Bearer TOKEN");
    }
    return known.caller();
  }

  /**
   * @throws ApiProblem if the caller's role may not do what the route does
   */
  static void checkRole(ApiRoute route, Caller caller) {
    route.role().ifPresent(needed -> checkRole(needed, caller));
  }

  /**
   * @throws ApiProblem if the caller has another role, which may less
   */
  static void checkRole(Role needed, Caller caller) {
    if (!caller.role().includes(needed)) {
      throw new ApiProblem(
          Kind.NOT_ALLOWED,
          "only an %s may do this: %s is a %s"
              .formatted(needed.word(), caller.name(), caller.role().word()));
    }
  }

  /**
   * @throws ApiProblem if the body is not of the route's type
   */
  static void checkType(ApiRoute route, RequestHeaders headers) {
    Optional<MediaType> wanted = route.body().map(ApiRoute.Body::type);
    MediaType given = headers.contentType();
    if (wanted.isPresent() && (given == null || !isRight(given, wanted.get()))) {
      throw new ApiProblem(
          Kind.UNSUPPORTED,
          "must be sent as Content-Type: " + wanted.get().nameWithoutParameters());
    }
  }

  /** JSON is YAML, too. */
  private static boolean isRight(MediaType given, MediaType wanted) {
    return given.is(wanted) || wanted.is(ApiRoute.YAML) && given.is(MediaType.JSON);
  }
}
