package io.quotaenforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Deferral;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceContextTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final Requests TRACED =
      Requests.from(
          "192.0.2.7", "traceparent: " + PARENT, "tracestate: a=1", "tracestate: b=2", "other: x");

  @Test
  void traceContext_goesAlong_besideHeadersOfTheService() {
    Deferral deferral = Deferral.PLAIN.withHeaders(Map.of("tenant", "acme"));
    assertThat(TraceContext.addTo(deferral, TRACED).headers())
        .isEqualTo(Map.of("tenant", "acme", "traceparent", PARENT, "tracestate", "a=1,b=2"));
  }

  @Test
  void serviceHasItsOwn_isKept() {
    Deferral deferral = Deferral.PLAIN.withHeaders(Map.of("traceparent", "mine"));
    assertThat(TraceContext.addTo(deferral, TRACED)).isEqualTo(deferral);
  }

  @Test
  void noneOrTooLong_isLeftOut() {
    assertThat(TraceContext.addTo(Deferral.PLAIN, Requests.get("/")).headers()).isEmpty();
    assertThat(
            TraceContext.addTo(
                    Deferral.PLAIN, Requests.from("192.0.2.7", "traceparent: " + "0".repeat(5_000)))
                .headers())
        .isEmpty();
  }
}
