package io.quotaenforcer.core.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HashKeyTextTest {
  private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);
  private static final String A = "a:" + SECRET;
  private static final String B = "b:" + SECRET;

  @Test
  void parse_linesOrOneLine_isTheSame() {
    HashKeys lines = HashKeyText.parse("# of November\n" + A + "\n\n  " + B + "\r\n");

    assertThat(lines.ids()).containsExactly("a", "b");
    assertThat(HashKeyText.parse(A + ", " + B)).isEqualTo(lines);
    assertThat(HashKeyText.parse(HashKeyText.write("a", new byte[32])).ids()).containsExactly("a");
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrong")
  void parse_whatIsNoKey_saysWhereAndWhatToDo_andQuotesNothing(String text, String message) {
    assertThatThrownBy(() -> HashKeyText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message)
        .message()
        .doesNotContain(SECRET.substring(0, 8));
  }

  static Stream<Arguments> wrong() {
    String make = "; make one with: quota hash --generate ID";
    return Stream.of(
        Arguments.of("", "has no hash key" + make),
        Arguments.of("# nothing\n", "has no hash key" + make),
        Arguments.of(A + "\n" + SECRET, "line 2, column 1: a hash key is written ID:BASE64" + make),
        Arguments.of(
            A + ",c d:" + SECRET,
            "line 1, column 48: the id of a hash key is 1 to 32 letters, digits, '_' or '-'; give it"
                + " one, as a date"),
        Arguments.of("k:!" + SECRET, "line 1, column 3: the hash key k is not Base64" + make),
        Arguments.of(
            "# x\n k:" + Base64.getEncoder().encodeToString(new byte[12]),
            "line 2, column 4: the hash key k has 12 bytes, and must have 32 to 64" + make),
        Arguments.of(
            "k:" + Base64.getEncoder().encodeToString(new byte[65]),
            "line 1, column 3: the hash key k has 65 bytes, and must have 32 to 64" + make),
        Arguments.of(A + "\n" + A, "line 2, column 1: the id a is there twice; give each its own"),
        Arguments.of(
            A + "\n" + B + "\nc:" + SECRET,
            "line 3, column 1: there may be two hash keys, the old and the new one; remove those"
                + " that no instance counts by any more"),
        Arguments.of(
            "x".repeat(10_001), "has more than 10000 characters, so it is no hash key" + make));
  }
}
