package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory of an abandoned quota key, in the store and in a client, for each kind of limit: all of it
 * while it matters, and nothing afterwards. Ten permits are used ten seconds after midnight.
 */
class IdleKeysTest {
  private static final int PERMITS = 10;
  private static final Duration MOMENT = Duration.ofMillis(50);

  /** An eighth of the time after which a client forgets a key. */
  private static final Duration LOOKS_EVERY = Duration.ofMillis(7_500);

  @TempDir Path state;

  /**
   * @param limit ten permits at once at most
   * @param at a time at which what was used still matters
   * @param left permits that are there then
   * @param goneAt a time just after the last at which it matters
   */
  record Kind(String limit, String at, int left, String goneAt) {}

  static Stream<Arguments> kinds() {
    return Stream.of(
            new Kind("per: 1h, algorithm: fixed-window", "00:59:59", 0, "01:00:05"),
            new Kind("per: day, zone: Europe/Berlin", "22:59:59", 0, "23:00:05"),
            new Kind("per: 1h, algorithm: sliding-window", "01:30:00", 5, "02:00:05"),
            new Kind(
                "per: 1h, algorithm: sliding-sub-windows, slots: 6", "00:59:59", 0, "01:00:05"),
            new Kind("per: 1h, algorithm: sliding-log", "01:00:09", 0, "01:00:15"),
            new Kind("per: 1h, algorithm: token-bucket", "00:30:15", 5, "01:00:15"),
            new Kind(
                "per: 1h, algorithm: token-bucket, refill: interval", "00:59:59", 0, "01:00:05"),
            // A third of ten minutes' permits is lost to the warm-up, and it stays warm as long.
            new Kind("per: 1h, algorithm: token-bucket, warm-up: 10m", "01:03:00", 9, "01:13:35"),
            new Kind("per: 1h, algorithm: leaky-bucket, burst: 9", "00:30:15", 5, "01:00:15"))
        .map(kind -> Arguments.of(kind.limit, kind));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void ledger_whileItsStateMatters_isKept(String name, Kind kind) {
    try (ServiceFixture service = used(kind, "strict")) {
      service.at(kind.at);
      assertThat(service.topology.ledgerRows()).isEqualTo(1);
      assertThat(service.admitted(2 * PERMITS, "user", "42")).isEqualTo(kind.left);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void ledger_onceItsStateCannotMatter_isGone(String name, Kind kind) {
    try (ServiceFixture service = used(kind, "strict")) {
      service.at(LocalTime.parse(kind.goneAt).minusSeconds(10).toString());
      assertThat(service.topology.ledgerRows()).isEqualTo(1);
      service.at(kind.goneAt).run(MOMENT);
      assertThat(service.topology.ledgerRows()).isZero();
    }
  }

  /** The enforcer knows what was used: a client that comes back asks it. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void clientOfTheEnforcer_withoutRequestsForAMinute_forgetsTheKey(String name, Kind kind) {
    try (ServiceFixture service = used(kind, "strict")) {
      service.at("00:01:05").run(MOMENT);
      assertThat(service.instance(0).keys()).isEqualTo(1);
      service.at("00:01:12").run(LOOKS_EVERY);
      assertThat(service.instance(0).keys()).isZero();
      service.run(MOMENT);
      assertThat(service.admits("user", "42")).isFalse();
    }
  }

  /** Nobody else knows what was used. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void clientByItself_forgetsTheKeyOnceItsStateCannotMatter(String name, Kind kind) {
    try (ServiceFixture service = used(kind, "per-instance")) {
      service.at(LocalTime.parse(kind.at).minusSeconds(1).toString()).run(MOMENT);
      assertThat(service.instance(0).keys()).isEqualTo(1);
      service.at(LocalTime.parse(kind.goneAt).plus(LOOKS_EVERY).toString()).run(MOMENT);
      assertThat(service.instance(0).keys()).isZero();
      service.run(MOMENT);
      assertThat(service.admitted(2 * PERMITS, "user", "42")).isEqualTo(PERMITS);
    }
  }

  private ServiceFixture used(Kind kind, String enforcement) {
    String rules =
        """
        domain: idle
        rules:
          - id: per-user
            key: [user]
            limit: {permits: 10, %s}
            enforcement: %s
        """;
    ServiceFixture service =
        new ServiceFixture(state, rules.formatted(kind.limit, enforcement)).at("00:00:10");
    assertThat(service.admitted(PERMITS, "user", "42")).isEqualTo(PERMITS);
    return service;
  }
}
