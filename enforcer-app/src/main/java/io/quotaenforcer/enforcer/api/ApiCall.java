package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.enforcer.http.Parameters;
import io.quotaenforcer.server.access.Caller;
import java.util.Map;

/**
 * A request that its caller may make.
 *
 * @param path parameters in the path
 * @param body empty for a request without one
 */
record ApiCall(
    Caller caller,
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

  String given(String name) {
    return parameters
        .text(name)
        .orElseThrow(() -> new IllegalArgumentException("must be given: " + name));
  }
}
