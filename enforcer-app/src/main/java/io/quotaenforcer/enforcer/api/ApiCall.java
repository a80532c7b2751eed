package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.quotaenforcer.enforcer.http.Parameters;
import io.quotaenforcer.server.access.Caller;
import java.time.Duration;
import java.util.Map;

/**
 * A request that its caller may make.
 *
 * @param address of the caller
 * @param path parameters in the path
 * @param body empty for a request without one
 * @param waiting of the caller for the answer
 */
record ApiCall(
    Caller caller,
    String address,
    Map<String, String> path,
    Parameters parameters,
    RequestHeaders headers,
    String body,
    Waiting waiting) {

  /** A caller that waits, which matters to answers that take long. */
  interface Waiting {
    /** The bound on every request. */
    Waiting SHORT =
        new Waiting() {
          @Override
          public boolean goesOn() {
            return true;
          }

          @Override
          public void extend(Duration time) {}

          @Override
          public void progress(ObjectNode data) {}
        };

    /** Whether the caller is still there. */
    boolean goesOn();

    /** It may take so much longer from now on. */
    void extend(Duration time);

    /** Tells how far the answer is, if the caller wants to know. */
    void progress(ObjectNode data);
  }

  int limit() {
    return parameters.number(ApiRoutes.LIMIT, ApiRoutes.DEFAULT_LIMIT, ApiRoutes.MAX_LIMIT);
  }

  boolean isOnlyHere() {
    return parameters.flag(ApiRoutes.HERE);
  }

  /** A question of the same caller. */
  ApiCall asking(String pathAndQuery, Map<String, String> question) {
    RequestHeaders asked = headers.toBuilder().method(HttpMethod.GET).path(pathAndQuery).build();
    return new ApiCall(
        caller, address, Map.of(), Parameters.of(question), asked, "", Waiting.SHORT);
  }

  String given(String name) {
    return parameters
        .text(name)
        .orElseThrow(() -> new IllegalArgumentException("must be given: " + name));
  }
}
