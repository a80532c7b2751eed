package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.rule.RuleKey;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever the values, a quota key has a bound, and one that does not keep to it is not read. */
class QuotaKeyBoundTest {
  private static final RuleId RULE = new RuleId("shop", "orders");

  @Test
  void of_mostAndLongestValues_isWithinTheBoundAndReadAgain() {
    String longest = "€".repeat(QuotaKey.MAX_VALUE_CHARS);
    QuotaKey key = QuotaKey.of(RULE, Collections.nCopies(QuotaKey.MAX_VALUES, longest));

    assertThat(key.toString()).hasSizeLessThanOrEqualTo(QuotaKey.MAX_TEXT_CHARS);
    assertThat(QuotaKey.parse(key.toString())).isEqualTo(key);
  }

  @Test
  void parse_tooLong_isRefusedAndNotRepeatedWhole() {
    assertThatThrownBy(() -> QuotaKey.parse("shop/orders/" + "x".repeat(QuotaKey.MAX_TEXT_CHARS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 65536 characters")
        .message()
        .hasSizeLessThan(400);
  }

  @Test
  void ruleKey_tooManyAttributes_isRefused() {
    List<String> names =
        IntStream.rangeClosed(0, QuotaKey.MAX_VALUES).mapToObj(i -> "a" + i).toList();

    assertThatThrownBy(() -> RuleKey.of(names))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be at most 32 attributes: key has 33");
  }
}
