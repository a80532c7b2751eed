package io.quotaenforcer.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Passage;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.rules.QuotaRules;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MeteredAdmissionTest {
  private static final Request REQUEST = Request.of("user", "42", "api", "POST");
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: orders, key: [user], limit: {permits: 3, per: 1m}}
        - {id: posts, match: {api: POST}, key: [], limit: {permits: 100, per: 1m}}
      """;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Admission admission = metered(RULES);

  private Admission metered(String rules) {
    return new MeteredAdmission(
        AdmissionClient.standalone(
            QuotaRules.parse(rules),
            new ManualClock(Instant.parse("2026-01-01T00:00:00Z")).clocks()),
        registry);
  }

  private double requests(String policy, String result) {
    return registry
        .get("rate_limiting.requests")
        .tag("policy", policy)
        .tag("result", result)
        .counter()
        .count();
  }

  @Test
  void decisions_areCountedByRuleAndResult() throws Exception {
    for (int i = 0; i < 5; i++) {
      admission.decide(REQUEST);
    }
    admission.decideAsync(Request.of("user", "43", "api", "GET"), Duration.ofSeconds(1)).join();
    admission.decide(Request.of("user", "44"), Duration.ofSeconds(1));
    admission.reserve(Request.of("user", "45"), 2);
    admission.reserveAsync(Request.of("user", "46"), 2, Duration.ofSeconds(1)).join();
    admission.decide(Request.of("ip", "::1"));

    assertThat(requests("shop/orders", "admitted")).isEqualTo(7);
    assertThat(requests("shop/posts", "admitted")).isEqualTo(3);
    assertThat(requests("shop/orders", "over_limit")).isEqualTo(2);
    assertThat(requests("", "unmatched")).isEqualTo(1);
  }

  @Test
  void decisions_ofARuleWithClasses_areCountedByClass() {
    String rules =
        """
        domain: shop
        rules:
          - id: fleet
            limit: {permits: 4, per: 1m}
            classes: [{name: first, match: {api: POST}, reserve: 50%}, {name: others}]
        """;
    Admission ofClasses = metered(rules);
    for (int i = 0; i < 3; i++) {
      ofClasses.decide(Request.of("user", "1"));
    }
    ofClasses.handle("shop/fleet").ofClass("first").decide();

    assertThat(ofClass("first", "admitted")).isEqualTo(1);
    assertThat(ofClass("others", "admitted")).isEqualTo(2);
    assertThat(ofClass("others", "over_limit")).isEqualTo(1);
  }

  private double ofClass(String demandClass, String result) {
    return registry
        .get("rate_limiting.requests")
        .tag("policy", "shop/fleet")
        .tag("class", demandClass)
        .tag("result", result)
        .counter()
        .count();
  }

  @Test
  void yesAndNo_areCountedWithoutTheirRule() {
    admission.tryAcquire(REQUEST);
    admission.handle("shop/orders", "42").tryAcquire(3);
    admission.handle("shop/orders", "42").decide(2);

    assertThat(requests("", "admitted")).isEqualTo(1);
    assertThat(requests("", "throttled")).isEqualTo(1);
    assertThat(requests("shop/orders", "admitted")).isEqualTo(1);
  }

  @Test
  void slotsOfAHandle_areHeldAndGivenBack_andCount() {
    String rules =
        """
        domain: shop
        rules:
          - {id: exports, key: [user], limit: {concurrent: 1, max-hold: 60s}}
        """;
    QuotaHandle handle = metered(rules).handle("shop/exports", "42");

    HeldSlots held = handle.tryEnter(1);
    assertThat(held).isNotNull();
    assertThat(handle.tryEnter(1)).isNull();
    handle.leave(held, 1);
    try (Passage passage = handle.enterAsync(1, Duration.ZERO).join()) {
      assertThat(passage.entered()).isTrue();
      assertThat(handle.enterAsync(1, Duration.ZERO).join().entered()).isFalse();
    }
    assertThat(handle.tryEnter(1)).isNotNull();

    assertThat(requests("", "admitted")).isEqualTo(2);
    assertThat(requests("", "throttled")).isEqualTo(1);
    assertThat(requests("shop/exports", "admitted")).isEqualTo(1);
    assertThat(requests("shop/exports", "over_limit")).isEqualTo(1);
  }

  /** A default may refuse what the handle can do, which is the one that decides. */
  @Test
  void handle_leavesNoMethodAtItsDefault() {
    Class<?> counted = admission.handle("shop/orders", "42").getClass();

    assertThat(QuotaHandle.class.getMethods())
        .filteredOn(Method::isDefault)
        .isNotEmpty()
        .allSatisfy(
            method ->
                assertThat(
                        counted
                            .getMethod(method.getName(), method.getParameterTypes())
                            .getDeclaringClass())
                    .isEqualTo(counted));
  }

  @Test
  void oneInSome_isMeasured() {
    for (int i = 0; i < 20_000; i++) {
      admission.decide(REQUEST);
    }
    assertThat(registry.get("rate_limiting.decision.duration").timer().count())
        .isBetween(20L, 300L);
  }

  @Test
  void client_showsWhatItHoldsAndWaitsFor() {
    try (AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers("127.0.0.1:9")
            .instance("web-1")
            .property("close.timeout", "0")
            .build()) {
      new ClientMetrics(client).bindTo(registry);
      assertThat(registry.get("rate_limiting.rules").tag("instance", "web-1").gauge().value())
          .isZero();
      assertThat(registry.get("rate_limiting.queued_requests").gauge().value()).isZero();
      assertThat(registry.get("rate_limiting.permits.opened").functionCounter().count()).isZero();
    }
  }
}
