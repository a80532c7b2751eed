package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

  @ParameterizedTest(name = "{0} matches {1}: {2}")
  @CsvSource({
    "/users/*/posts, /users/42/posts, true",
    "/users/*/posts, /users//posts, true",
    "/users/*/posts, /users/42/likes/7/posts, true",
    "/users/*/posts, /users/42/posts/1, false",
    "/users/*/posts, /users/posts, false",
    "*.png, .png, true",
    "*.png, a.png.jpg, false",
    "*a*, bab, true",
    "*a*, bbb, false",
    "aa*aa, aaa, false",
    "aa*aa, aaaa, true",
    "a*b*c, abbc, true",
    "a*b*c, abcb, false",
    "*b*b*, ab, false"
  })
  void matches_value_whereAnAsteriskIsAnything(String pattern, String value, boolean matches) {
    assertThat(Glob.parse(pattern).matches(value)).isEqualTo(matches);
  }

  @Test
  void matches_anyValue_agreesWithTheExpression() {
    Seeded.check(
        20_000,
        random -> {
          String pattern = text(random, "ab*").replaceAll("\\*+", "*") + "*" + text(random, "ab");
          if (pattern.contains("**") || pattern.indexOf('*') == pattern.length() - 1) {
            return;
          }
          String value = text(random, "ab");
          String expression =
              Arrays.stream(pattern.split("\\*", -1))
                  .map(Pattern::quote)
                  .collect(Collectors.joining(".*"));
          assertThat(Glob.parse(pattern).matches(value))
              .as("%s on %s", pattern, value)
              .isEqualTo(value.matches(expression));
        });
  }

  @Test
  void matches_hostileValue_endsSoon() {
    Glob glob = Glob.parse("*a".repeat(90) + "b");
    String value = "a".repeat(100_000);
    long before = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(glob.matches(value)).isFalse();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void parse_whatIsNoWildcard_isRefused() {
    assertThatThrownBy(() -> Glob.parse("a"))
        .hasMessage("must have a \"*\" before its last character: pattern=a");
    assertThatThrownBy(() -> Glob.parse("a*"))
        .hasMessage("must have a \"*\" before its last character: pattern=a*");
    assertThatThrownBy(() -> Glob.parse("a**b")).hasMessage("must not have \"**\": pattern=a**b");
    assertThatThrownBy(() -> Glob.parse("*" + "a".repeat(Glob.MAX_PATTERN_CHARS)))
        .hasMessageStartingWith("must have at most 200 characters");
  }

  @Test
  void ofText_asterisks_sayWhichKindItIs() {
    assertThat(Matcher.ofText("a")).isEqualTo(new Matcher.Exact("a"));
    assertThat(Matcher.ofText("")).isEqualTo(new Matcher.Exact(""));
    assertThat(Matcher.ofText("*")).isEqualTo(new Matcher.Any());
    assertThat(Matcher.ofText("a*")).isEqualTo(new Matcher.Prefix("a"));
    assertThat(Matcher.ofText("*a")).isEqualTo(new Matcher.Wildcard(Glob.parse("*a")));
  }

  private static String text(SplittableRandom random, String characters) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(7); i > 0; i--) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }
}
