package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  private static final List<String> ALGORITHMS =
      List.of("fixed-window", "sliding-window", "token-bucket");

  @ParameterizedTest
  @CsvSource({
    "sliding-windw, sliding-window",
    "Sliding-Window, sliding-window",
    "slidingwindow, sliding-window",
    "fixed_window, fixed-window",
    "tokne-bucket, token-bucket",
    "token-buckets, token-bucket"
  })
  void nearest_mistyped_isWhatWasMeant(String word, String meant) {
    assertThat(Suggestions.nearest(word, ALGORITHMS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"gcra", "window", "''", "leaky-bucket-x"})
  void nearest_nothingLikeIt_isEmpty(String word) {
    assertThat(Suggestions.nearest(word, ALGORITHMS)).isEmpty();
  }

  @Test
  void nearest_swappedLetters_countAsOne() {
    assertThat(Suggestions.nearest("kye", List.of("by", "key"))).contains("key");
  }

  @Test
  void nearest_enormousWord_isEmptyAtOnce() {
    assertThat(Suggestions.nearest("x".repeat(1_000_000), ALGORITHMS)).isEmpty();
  }
}
