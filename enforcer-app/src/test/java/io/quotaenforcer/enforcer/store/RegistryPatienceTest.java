package io.quotaenforcer.enforcer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class RegistryPatienceTest {
  private int tries;
  private long slept;
  private final RegistryPatience patience = new RegistryPatience(nanos -> slept += nanos);

  private Supplier<String> away(int times) {
    return () -> {
      if (tries++ < times) {
        throw new CodecException(Reason.REGISTRY_UNAVAILABLE, "registry http://r does not answer");
      }
      return "read";
    };
  }

  @Test
  void registryComesBack_recordIsRead() {
    assertThat(patience.read(away(5))).isEqualTo("read");
    assertThat(slept).isBetween(1_000_000_000L, 2_000_000_000L);
  }

  @Test
  void registryStaysAway_failsByNoFaultOfTheRecord() {
    assertThatThrownBy(() -> patience.read(away(Integer.MAX_VALUE)))
        .isInstanceOf(StreamsException.class)
        .hasMessageContaining("registry http://r does not answer");
    assertThat(slept).isBetween(2_000_000_000L, 10_000_000_000L);
  }

  @Test
  void recordThatCannotBeRead_failsAtOnce() {
    assertThatThrownBy(
            () ->
                patience.read(
                    () -> {
                      throw new CodecException(Reason.MALFORMED, "no record");
                    }))
        .isInstanceOf(CodecException.class);
    assertThat(slept).isZero();
  }
}
