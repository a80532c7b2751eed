package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LimitStateTest {

  @Test
  void of_wordsThatChangeAfterwards_keepsThemAsTheyWere() {
    long[] words = {1, 2, 3};
    LimitState state = LimitState.of(words);

    words[0] = 9;

    assertThat(state.word(0)).isEqualTo(1);
    assertThat(state.size()).isEqualTo(3);
  }

  @Test
  void states_ofEqualWords_areEqual() {
    assertThat(LimitState.of(1, 2))
        .isEqualTo(LimitState.of(1, 2))
        .hasSameHashCodeAs(LimitState.of(1, 2))
        .isNotEqualTo(LimitState.of(2, 1))
        .isNotEqualTo(LimitState.of(1, 2, 0))
        .isNotEqualTo(null);
    assertThat(LimitState.of(1, 2).hashCode()).isNotEqualTo(LimitState.of(2, 1).hashCode());
    assertThat(LimitState.of(1, -2)).hasToString("[1, -2]");
  }

  @Test
  void word_beyondTheLast_isRefused() {
    assertThatThrownBy(() -> LimitState.of(1).word(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
