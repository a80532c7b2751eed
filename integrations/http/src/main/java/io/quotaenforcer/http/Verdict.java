package io.quotaenforcer.http;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import java.util.Map;

/** The verdict on an HTTP request. Immutable. */
public sealed interface Verdict {

  /**
   * It runs.
   *
   * @param headers to add to the service's answer; empty if no rule matched
   */
  record Run(Map<String, String> headers) implements Verdict {
    static final Run UNCOUNTED = new Run(Map.of());
  }

  /**
   * It does not run: by a rule, or since no rules are known.
   *
   * @param request that was decided
   * @param isDeferrable whether a rule lets it wait to be run later
   */
  record Refused(Request request, Decision decision, boolean isDeferrable, HttpAnswer answer)
      implements Verdict {}

  /** It does not run since we failed, and the service wants that. */
  record Failed(HttpAnswer answer) implements Verdict {}
}
