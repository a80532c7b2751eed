package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * A successful answer.
 *
 * @param etag the version of what it tells of; empty where it has none
 */
record ApiAnswer(ObjectNode body, Optional<String> etag) {
  static ApiAnswer of(ObjectNode body) {
    return new ApiAnswer(body, Optional.empty());
  }
}
