package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredBoundTest {

  @Test
  void nothing_isNoPermitOver_evenWhileTheEnforcerIsAway() {
    assertThat(DeclaredBound.NOTHING.connected()).isZero();
    assertThat(DeclaredBound.NOTHING.away()).hasValue(0);
    assertThat(DeclaredBound.NOTHING.expected()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "5, 5, 5", "5, 5, 0", "5, 9223372036854775807, 3"})
  void constructor_expectedWithinConnectedWithinAway_isABound(
      long connected, long away, long expected) {
    DeclaredBound bound = new DeclaredBound(connected, OptionalLong.of(away), expected);

    assertThat(bound.connected()).isEqualTo(connected);
    assertThat(bound.away()).hasValue(away);
    assertThat(bound.expected()).isEqualTo(expected);
  }

  @Test
  void constructor_withoutABoundWhileAway_saysSo() {
    assertThat(new DeclaredBound(5, OptionalLong.empty(), 0).away()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, 'must be 0 <= expected <= connected: connected=-1 expected=0'",
    "5, 5, -1, 'must be 0 <= expected <= connected: connected=5 expected=-1'",
    "5, 5, 6, 'must be 0 <= expected <= connected: connected=5 expected=6'",
    "5, 4, 5, 'must be >= connected: connected=5 away=4'"
  })
  void constructor_whatNoBoundCanBe_isRefused(
      long connected, long away, long expected, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeclaredBound(connected, OptionalLong.of(away), expected))
        .withMessage(message);
  }
}
