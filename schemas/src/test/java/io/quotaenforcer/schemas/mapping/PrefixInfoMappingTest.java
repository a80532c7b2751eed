package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.schemas.PrefixInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixInfoMappingTest {

  @Test
  void fromRecord_aPrefix_isWhatWasWritten() {
    io.quotaenforcer.core.message.PrefixInfo prefix =
        new io.quotaenforcer.core.message.PrefixInfo(16, 1, 100);
    PrefixInfo record = PrefixInfoMapping.toRecord(prefix, 5);
    assertThat(record.createdAtMillis()).isEqualTo(5);
    assertThat(PrefixInfoMapping.fromRecord(record)).isEqualTo(prefix);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, must be between 1 and 10000: partitions=0",
    "10001, 1, 1, must be between 1 and 10000: partitions=10001",
    "1, 0, 1, must be between 1 and 2147483647: hashVersion=0",
    "1, 1, 0, must be between 1 and 1000000: maxInstances=0"
  })
  void fromRecord_outOfRange_isRefusedByName(
      int partitions, int hashVersion, int maxInstances, String message) {
    assertThatThrownBy(
            () ->
                PrefixInfoMapping.fromRecord(
                    new PrefixInfo(partitions, hashVersion, maxInstances, 0L)))
        .hasMessage(message);
  }
}
