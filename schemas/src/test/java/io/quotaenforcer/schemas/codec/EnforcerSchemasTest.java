package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnforcerSchemasTest {
  private static final QuotaKey KEY = QuotaKey.parse("shop/orders/42");

  private final StubRegistry registry = new StubRegistry();
  private final Wire wire = Wire.of("quota.", Codecs.with(registry));

  @Test
  void enforcer_registeredItsSchemas_writesEverythingWhileTheRegistryIsAway() {
    wire.registerEnforcerSchemas();
    registry.away(true);

    assertThat(wire.encode(new UsageReport("#replays-1", 7, 0, 0, -1, List.of()))).isNotEmpty();
    assertThat(wire.encode(new QuotaSnapshot("service-1", 7, 0, 1, 2, List.of()))).isNotEmpty();
    assertThat(
            wire.encode(
                new DeferralAnswer("service-1", 7, "a", "posts/r/a", Verdict.ACCEPTED, "", 0, 1)))
        .isNotEmpty();
    assertThat(
            wire.encode(
                new Replay(
                    "a",
                    KEY,
                    Request.of("user", "42"),
                    Payload.of(new byte[] {1}),
                    Map.of(),
                    Priority.HIGH,
                    1,
                    0,
                    List.of(KEY),
                    2,
                    0,
                    3,
                    4)))
        .isNotEmpty();
    assertThat(wire.encode(new ExhaustedQuota(1, 2, 3, 4))).isNotEmpty();
  }

  @Test
  void registration_registryAway_isRetriable() {
    registry.away(true);

    assertThatThrownBy(wire::registerEnforcerSchemas)
        .isInstanceOfSatisfying(CodecException.class, e -> assertThat(e.isRetriable()).isTrue());
  }
}
