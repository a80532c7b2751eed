package io.quotaenforcer.enforcer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quotaenforcer.core.ledger.PartitionTime;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTimeRowTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void row_readBack_isWhatWasWritten(boolean handedOver) {
    PartitionTime.Kept kept = new PartitionTime.Kept(5_000, 7, 9_000, 3, handedOver, 40);
    assertThat(PartitionTimeRow.read(PartitionTimeRow.write(kept))).isEqualTo(kept);
  }

  @Test
  void row_ofAnEnforcerThatCouldNotHandOver_isReadAsAfterACrash() {
    byte[] row = ByteBuffer.allocate(24).putLong(5_000).putLong(7).putLong(9_000).array();
    assertThat(PartitionTimeRow.read(row))
        .isEqualTo(new PartitionTime.Kept(5_000, 7, 9_000, 7, false));
  }

  @Test
  void row_ofAnEnforcerThatDidNotSayItsLead_hasNone() {
    PartitionTime.Kept kept = new PartitionTime.Kept(5_000, 7, 9_000, 3, true);
    byte[] row = Arrays.copyOf(PartitionTimeRow.write(kept), 33);
    assertThat(PartitionTimeRow.read(row)).isEqualTo(kept);
  }

  @Test
  void row_ofANewerEnforcer_isRefused() {
    byte[] row =
        Arrays.copyOf(PartitionTimeRow.write(new PartitionTime.Kept(5_000, 7, 9_000, 3, true)), 49);

    assertThatIllegalStateException()
        .isThrownBy(() -> PartitionTimeRow.read(row))
        .withMessageContaining("run the enforcer version that wrote the state");
  }
}
