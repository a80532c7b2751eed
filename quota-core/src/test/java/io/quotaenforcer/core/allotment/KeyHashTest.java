package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHashTest {
  /** The key of the bytes 0 to 15. */
  private static final KeyHash HASH = new KeyHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

  /** Messages of the bytes 0, 1, 2, ...; from appendix A of the paper, and its authors' vectors. */
  @ParameterizedTest
  @CsvSource({
    "0, 726fdb47dd0e0e31",
    "1, 74f839c593dc67fd",
    "7, ab0200f58b01d137",
    "8, 93f5f5799a932462",
    "15, a129ca6149be45e5",
    "16, 3f2acc7f57c29bdb",
    "63, 958a324ceb064572"
  })
  void of_publishedMessages_areThePublishedHashes(int length, String hash) {
    StringBuilder message = new StringBuilder();
    for (int i = 0; i < length; i++) {
      message.append((char) i);
    }

    assertThat(HASH.of(message.toString())).isEqualTo(Long.parseUnsignedLong(hash, 16));
  }

  @Test
  void of_keysThatAPlainHashDoesNotTellApart_areTold() {
    QuotaKey one = QuotaKey.of(new RuleId("d", "rule"), List.of("Aa"));
    QuotaKey other = QuotaKey.of(new RuleId("d", "rule"), List.of("BB"));

    assertThat(one.hashCode()).isEqualTo(other.hashCode());
    assertThat(HASH.of(one)).isNotEqualTo(HASH.of(other));
  }
}
