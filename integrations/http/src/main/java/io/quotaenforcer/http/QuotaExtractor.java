package io.quotaenforcer.http;

import io.quotaenforcer.core.Request;
import java.util.Optional;

/**
 * Makes the attributes that rules match on from an HTTP request:
 *
 * <pre>{@code
 * http -> Optional.of(Request.of("user", http.principal().orElse(""), "path", http.path()))
 * }</pre>
 *
 * <p>Called by any number of threads. If it throws, the request is decided by {@link
 * HttpQuota.Builder#onFailure}.
 */
@FunctionalInterface
public interface QuotaExtractor {

  /** The request to decide; empty for one that no rule is to count. */
  Optional<Request> extract(HttpView http);
}
