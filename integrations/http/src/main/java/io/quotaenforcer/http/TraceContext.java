package io.quotaenforcer.http;

import io.quotaenforcer.client.Deferral;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Trace context (W3C) that goes along with a deferred request: its replay has it in its headers, so
 * that tracing goes on where the request is run.
 */
final class TraceContext {
  private static final List<String> NAMES = List.of("traceparent", "tracestate");

  /** A proxy may send more; what is longer is of no known tracer. */
  private static final int MAX_CHARS = 1_024;

  private TraceContext() {}

  /** The deferral with the trace context of its request, unless it has one of its own. */
  static Deferral addTo(Deferral deferral, HttpSource source) {
    Map<String, String> headers = new HashMap<>(deferral.headers());
    if (headers.containsKey(NAMES.get(0))) {
      return deferral;
    }
    for (String name : NAMES) {
      String value = String.join(",", source.headers(name));
      if (!value.isEmpty() && value.length() <= MAX_CHARS) {
        headers.put(name, value);
      }
    }
    try {
      return deferral.withHeaders(headers);
    } catch (IllegalArgumentException e) {
      // With it they are too large.
      return deferral;
    }
  }
}
