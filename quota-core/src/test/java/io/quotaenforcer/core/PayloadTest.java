package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {

  @Test
  void of_bytesThatChangeAfterwards_keepsThemAsTheyWere() {
    byte[] bytes = {1, 2, 3};
    Payload payload = Payload.of(bytes);

    bytes[0] = 9;
    payload.toByteArray()[1] = 9;

    assertThat(payload.toByteArray()).containsExactly(1, 2, 3);
    assertThat(payload.size()).isEqualTo(3);
  }

  @Test
  void payloads_ofEqualBytes_areEqual() {
    Payload payload = Payload.of(new byte[] {1, 2});

    assertThat(payload)
        .isEqualTo(Payload.of(new byte[] {1, 2}))
        .hasSameHashCodeAs(Payload.of(new byte[] {1, 2}))
        .isNotEqualTo(Payload.of(new byte[] {1, 2, 0}))
        .isNotEqualTo(Payload.of(new byte[] {2, 1}))
        .isNotEqualTo(Payload.EMPTY);
    assertThat(Payload.EMPTY).isEqualTo(Payload.of(new byte[0]));
  }

  /** A payload may be secret, and large: a log shows only how large. */
  @Test
  void toString_anyBytes_showsNoneOfThem() {
    assertThat(Payload.of("secret".getBytes(StandardCharsets.UTF_8))).hasToString("6 bytes");
  }

  @Test
  void of_moreThanMayBeSent_isForOthersToRefuse() {
    assertThat(Payload.of(new byte[Payload.MAX_BYTES + 1]).size()).isEqualTo(1_048_577);
  }
}
