package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * More of the examples of {@link WorkedExamplesTest}: limits as services have them, buckets, and
 * several instances.
 */
class WorkedExamplesOfRatesTest {
  private static final String EVERYDAY =
      """
      domain: everyday
      rules:
        - id: one-per-5s
          match: {api: search}
          key: [user]
          limit: {permits: 1, per: 5s}
          enforcement: strict
        - id: posts
          match: {api: posts}
          key: [user]
          limit: {permits: 2, per: 1s}
          enforcement: strict
        - id: accounts
          match: {api: accounts}
          key: [address]
          limit: {permits: 10, per: 1d, algorithm: fixed-window}
          enforcement: strict
        - id: rewards
          match: {api: rewards}
          key: [device]
          limit: {permits: 5, per: week, zone: UTC}
          enforcement: strict
        - id: exports
          match: {api: exports}
          key: [user]
          limit: {permits: 300, per: 3h}
          enforcement: strict
        - id: reads
          match: {api: reads}
          key: [user]
          limit: {permits: 300, per: 60s}
          enforcement: strict
        - id: requests
          match: {api: requests}
          key: [client]
          limit: {permits: 500, per: 1m, algorithm: fixed-window}
          enforcement: strict
        - id: clients
          match: {api: clients}
          key: [client]
          limit: {permits: 10, per: 1s, algorithm: fixed-window}
          enforcement: strict
          overrides:
            - {key: {client: A}, limit: {permits: 500}}
      """;

  @TempDir Path state;

  @ParameterizedTest(name = "{0} of one {1}: {2}")
  @CsvSource({
    "search, user, 1",
    "posts, user, 2",
    "accounts, address, 10",
    "rewards, device, 5",
    "exports, user, 300",
    "reads, user, 300",
    "requests, client, 500",
    "clients, client, 10"
  })
  void example09_everydayLimits_admitThatManyAndNoMore(String api, String key, int permits) {
    try (ServiceFixture service = new ServiceFixture(state, EVERYDAY)) {
      service.at("00:00:30");
      assertThat(service.admitted(2 * permits, "api", api, key, "42")).isEqualTo(permits);
      assertThat(service.admits("api", api, key, "43")).isTrue();
    }
  }

  @Test
  void example09_clientAWith500PerSecond_hasALimitOfItsOwn() {
    try (ServiceFixture service = new ServiceFixture(state, EVERYDAY)) {
      assertThat(service.admitted(600, "api", "clients", "client", "A")).isEqualTo(500);
      assertThat(service.admitted(600, "api", "clients", "client", "B")).isEqualTo(10);
    }
  }

  @Test
  void example10_burstOfMoreThanTheTokens_admitsJustTheTokens() {
    String rules =
        """
        domain: buckets
        rules:
          - id: interval
            match: {kind: interval}
            limit: {permits: 4, per: 1m, algorithm: token-bucket, refill: interval}
            enforcement: strict
          - id: greedy
            match: {kind: greedy}
            limit: {permits: 4, per: 1m, algorithm: token-bucket}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      service.at("00:00:10");
      assertThat(service.admitted(7, "kind", "interval")).isEqualTo(4);
      assertThat(service.admitted(7, "kind", "greedy")).isEqualTo(4);
      // A quarter of a minute brings a token, from the moment on at which the use is booked.
      service.at("00:00:25.200");
      assertThat(service.admitted(7, "kind", "greedy")).isEqualTo(1);
      service.at("00:00:59");
      assertThat(service.admitted(7, "kind", "interval")).isZero();
      service.at("00:01:00");
      assertThat(service.admitted(7, "kind", "interval")).isEqualTo(4);
      service.at("00:01:25.400");
      assertThat(service.admitted(7, "kind", "greedy")).isEqualTo(4);
    }
  }

  @Test
  void example11_eightInstances_have100PermitsInAll() {
    String rules =
        """
        domain: examples
        rules:
          - id: per-user
            key: [user]
            limit: {permits: 100, per: 1s}
            enforcement: %s
        """;
    try (ServiceFixture service =
        new ServiceFixture(state.resolve("strict"), 8, rules.formatted("strict"))) {
      assertThat(service.admittedByAll(150, "user", "42")).isEqualTo(100);
      assertThat(service.at("00:00:10").admittedByAll(150, "user", "42")).isEqualTo(100);
    }
    try (ServiceFixture service =
        new ServiceFixture(state.resolve("own"), 8, rules.formatted("per-instance"))) {
      assertThat(service.admittedByAll(150, "user", "42")).isEqualTo(800);
    }
  }

  @Test
  void example12_marketingMessages_areFiveADay() {
    String rules =
        """
        domain: messaging
        rules:
          - id: marketing
            match: {message_type: marketing}
            limit: {permits: 5, per: 1d, algorithm: fixed-window}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      service.at("09:00:00");
      assertThat(service.admitted(6, "message_type", "marketing")).isEqualTo(5);
      assertThat(service.admitted(6, "message_type", "invoice")).isEqualTo(6);
      assertThat(service.at("23:59:59").admits("message_type", "marketing")).isFalse();
      assertThat(service.at("2026-01-02T00:00:00Z").admits("message_type", "marketing")).isTrue();
    }
  }

  @Test
  void example13_rateOfAddressAndOfApiKey_holdAtOnce() {
    String rules =
        """
        domain: edge
        rules:
          - id: per-address
            key: [address]
            limit: {permits: 100, per: 1s, algorithm: leaky-bucket, burst: 20}
            enforcement: strict
          - id: per-api-key
            key: [api-key]
            limit: {permits: 50, per: 1s, algorithm: leaky-bucket, burst: 10}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      service.at("00:00:01");
      assertThat(service.admitted(30, "address", "192.0.2.1", "api-key", "k1"))
          .as("1 and a burst of 10 of the API key")
          .isEqualTo(11);
      assertThat(service.admitted(30, "address", "192.0.2.1", "api-key", "k2"))
          .as("what is left of 1 and a burst of 20 of the address")
          .isEqualTo(10);
      assertThat(service.admitted(30, "api-key", "k2"))
          .as("nothing taken by the throttled")
          .isEqualTo(1);
      assertThat(service.admitted(0, 30, Request.of("address", "192.0.2.2"))).isEqualTo(21);
    }
  }
}
