package io.quotaenforcer.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.codec.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeferralWireTest {
  private static final Wire WIRE = Wire.of("quota.", Codecs.withoutRegistry());
  private static final QuotaKey KEY = QuotaKey.parse("shop/orders/42");
  private static final ReplyTo REPLY_TO = new ReplyTo("service-1", -7, 3);
  private static final Request REQUEST = Request.of("user", "42").withCost(3);
  private static final Payload PAYLOAD = Payload.of(new byte[] {1, 0, -1});

  static Stream<DeferralInput> inputs() {
    return Stream.of(
        new DeferralInput.DeferredRequest(
            "a", KEY, REQUEST, PAYLOAD, Map.of("h", "v"), Priority.LOW, 5, 4, REPLY_TO),
        new DeferralInput.Inquiry("a", KEY, 4, REPLY_TO, 9),
        new DeferralInput.ReplayResult("a", KEY, false, "no such account", 2, 9),
        new DeferralInput.Cancel("a", KEY, "by operator"),
        new DeferralInput.Expedite("a", KEY),
        new DeferralInput.Purge("shop/orders", "by operator"));
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void input_comesBackAsItWas(DeferralInput input) {
    assertThat(WIRE.decodeDeferralInput(WIRE.encode(input))).isEqualTo(input);
  }

  @Test
  void replay_comesBackAsItWas() {
    Replay replay =
        new Replay(
            "a",
            KEY,
            REQUEST,
            PAYLOAD,
            Map.of("h", "v"),
            Priority.HIGH,
            1,
            2,
            List.of(KEY),
            3,
            4,
            5,
            6);

    assertThat(WIRE.decodeReplay(WIRE.encode(replay))).isEqualTo(replay);
  }

  @Test
  void answersOfBothKinds_areToldApart() {
    DeferralAnswer answer =
        new DeferralAnswer(
            "service-1", -7, "a", KEY.toString(), Verdict.REFUSED, "the queue is full", 250, 10, 9);
    QuotaSnapshot snapshot = new QuotaSnapshot("service-1", -7, 1, 2, 3, List.of());
    List<Object> read = new ArrayList<>();

    WIRE.decodeAnswer(WIRE.encode(snapshot), read::add, read::add);
    WIRE.decodeAnswer(WIRE.encode(answer), read::add, read::add);

    assertThat(read).containsExactly(snapshot, answer);
  }

  @Test
  void idThatIsTooLong_isRefused() {
    assertThatThrownBy(() -> new DeferralInput.Expedite("x".repeat(101), KEY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must have 1 to 100 characters: id=xxx");
  }
}
