package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.enforcer.http.Parameters;
import io.quotaenforcer.server.access.Caller;
import java.util.Map;

/**
 * A request that its caller may make.
 *
 * @param address of the caller
 * @param path parameters in the path
 * @param body empty for a request without one
 */
record ApiCall(
    Caller caller,
    String address,
    Map<String, String> path,
    Parameters parameters,
    RequestHeaders headers,
    String body) {

  int limit() {
    return parameters.number(ApiRoutes.LIMIT, ApiRoutes.DEFAULT_LIMIT, ApiRoutes.MAX_LIMIT);
  }

  boolean isOnlyHere() {
    return parameters.flag(ApiRoutes.HERE);
  }

  /** A question of the same caller. */
  ApiCall asking(String pathAndQuery, Map<String, String> question) {
    RequestHeaders asked = headers.toBuilder().method(HttpMethod.GET).path(pathAndQuery).build();
    return new ApiCall(caller, address, Map.of(), Parameters.of(question), asked, "");
  }

  String given(String name) {
    return parameters
        .text(name)
        .orElseThrow(() -> new IllegalArgumentException("must be given: " + name));
  }
}
