package io.quotaenforcer.bench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.gateway.served.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatewayTargetsTest {
  @Test
  void rows_atTheirBounds_holdAll() {
    assertThat(
            GatewayTargets.of(List.of(row(Kind.GATEWAY, 0.7, 5, 0), row(Kind.REDIS, 0.1, 50, 0)))
                .shortOf())
        .isEmpty();
  }

  @Test
  void gateway_thatIsSlow_isNamed() {
    assertThat(
            GatewayTargets.of(List.of(row(Kind.GATEWAY, 0.69, 5.1, 0), row(Kind.REDIS, 0.1, 50, 0)))
                .shortOf())
        .containsExactly(
            "gRPC, gateway: requests a second, of OK undecided: 0.69, must be at least 0.70",
            "gRPC, gateway: p99 at half its peak, ms: 5.10, must be at most 5");
  }

  @Test
  void requestsThatFailed_andRedisThatIsMissing_areNamed() {
    assertThat(GatewayTargets.of(List.of(row(Kind.UNDECIDED, 1, 9, 3))).shortOf())
        .containsExactly(
            "gRPC, OK undecided: requests that failed: 3, must be at most 0",
            "servers that count in Redis, beside it (there is none without redis-server): 0, must"
                + " be at least 1");
  }

  @Test
  void median_isTheMiddle() {
    assertThat(GatewayRow.median(List.of(9, 1, 4), Integer::doubleValue)).isEqualTo(4);
    assertThat(GatewayRow.median(List.of(9, 1), Integer::doubleValue)).isEqualTo(5);
  }

  private static GatewayRow row(Kind kind, double ofUndecided, double p99, long failed) {
    return new GatewayRow(
        "gRPC", kind.text(), 1, ofUndecided, 1, p99, 1, 0, failed, new Peak.Cpu(1, 0, 1));
  }
}
