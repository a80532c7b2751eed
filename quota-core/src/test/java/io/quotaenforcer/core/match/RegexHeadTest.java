package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexHeadTest {

  @ParameterizedTest
  @CsvSource({
    "/users/[0-9]+, /users/",
    "plain, plain",
    "abc*, ab",
    "abc+, ab",
    "abc?, ab",
    "'abc{0,2}', ab",
    "a*, ''",
    "a.c, a",
    "a\\.c, a",
    "abc|x, ''",
    "(abc), ''",
    "'(?i)abc', ''",
    "^abc, ''",
    "\\Qabc\\E, ''",
    "'', ''"
  })
  void of_expression_isWhatEveryMatchBeginsWith(String expression, String head) {
    assertThat(RegexHead.of(Pattern.compile(expression))).isEqualTo(head);
  }

  @Test
  void of_expressionWithFlags_isEmpty() {
    assertThat(RegexHead.of(Pattern.compile("abc", Pattern.CASE_INSENSITIVE))).isEmpty();
  }

  @Test
  void of_anyExpression_whatMatchesBeginsWithIt() {
    Seeded.check(
        50_000,
        random -> {
          Pattern pattern;
          try {
            pattern = Pattern.compile(text(random, "abab*+?.|()[]{0,1}\\QE^$", 8));
          } catch (PatternSyntaxException e) {
            return;
          }
          String value = text(random, "ab", 4);
          if (pattern.matcher(value).matches()) {
            assertThat(value).as(pattern.pattern()).startsWith(RegexHead.of(pattern));
          }
        });
  }

  private static String text(SplittableRandom random, String characters, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }
}
