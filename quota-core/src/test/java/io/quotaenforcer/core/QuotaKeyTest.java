package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaKeyTest {
  private static final RuleId RULE = new RuleId("posts", "per-user");

  @Test
  void parse_anyText_readsWhatWasWritten() {
    Seeded.check(
        5_000,
        random -> {
          QuotaKey key = QuotaKey.of(RULE, values(random));
          QuotaKey read = QuotaKey.parse(key.toString());
          assertThat(read).isEqualTo(key);
          assertThat(read.rule()).isEqualTo(RULE);
          assertThat(read.values()).isEqualTo(key.values());
          assertThat(read.hashCode()).isEqualTo(key.hashCode());
        });
  }

  @Test
  void text_anyValues_isUniqueAndPrintableAndBounded() {
    Map<String, List<String>> seen = new HashMap<>();
    Seeded.check(
        5_000,
        random -> {
          List<String> values = values(random);
          String text = QuotaKey.of(RULE, values).toString();
          assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(text)).isTrue();
          assertThat(text).matches("[A-Za-z0-9._%~/-]+");
          assertThat(text.length()).isLessThan(4 * 9 * QuotaKey.MAX_VALUE_CHARS);
          List<String> before = seen.putIfAbsent(text, values);
          assertThat(before).isIn(null, values);
        });
  }

  @Test
  void text_nearlyEqualValues_areDifferent() {
    String tenThousand = "x".repeat(10_000);
    String hash = QuotaKey.of(RULE, List.of(tenThousand)).values().get(0);
    List<List<String>> different =
        List.of(
            List.of(),
            List.of(""),
            List.of("", ""),
            List.of("a/b"),
            List.of("a", "b"),
            List.of("%2F"),
            List.of("/"),
            List.of(" "),
            List.of("+"),
            List.of("?"),
            List.of("\ud800"),
            List.of("\ud801"),
            List.of("\udc00"),
            List.of("\ud800\udc00"),
            List.of("\udc00\ud800"),
            List.of(tenThousand),
            List.of(tenThousand + "x"),
            List.of("\ud800".repeat(300)),
            List.of("?".repeat(300)),
            List.of(hash),
            List.of("~" + hash));
    assertThat(different.stream().map(values -> QuotaKey.of(RULE, values).toString()).distinct())
        .hasSize(different.size());
  }

  @Test
  void values_longerThanTheBound_areHashed() {
    String longest = "é".repeat(QuotaKey.MAX_VALUE_CHARS);
    assertThat(QuotaKey.of(RULE, List.of(longest)).values()).containsExactly(longest);
    assertThat(QuotaKey.of(RULE, List.of(longest + "é")).values().get(0))
        .matches("sha256:[0-9a-f]{64}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "posts",
        "/per-user",
        "posts/",
        "po sts/per-user",
        "posts/per-user/%",
        "posts/r/%4",
        "posts/r/%zz",
        "posts/r/%2f",
        "posts/r/%61",
        "posts/r/a b",
        "posts/r/a+b",
        "posts/r/ä",
        "posts/r/%C3",
        "posts/r/%C0%80",
        "posts/r/%ED%A0%80%ED%B0%80",
        "posts/r/%FF%FF%FF%FF",
        "posts/r/~",
        "posts/r/~00",
        "posts/r/a~"
      })
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> QuotaKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void parse_randomText_isRefusedOrKept() {
    String characters = "%%%0189ABCDEFabcdef/~ \u00e4";
    Seeded.check(
        20_000,
        random -> {
          StringBuilder text = new StringBuilder("posts/r/");
          for (int i = random.nextInt(12); i > 0; i--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
          }
          try {
            QuotaKey key = QuotaKey.parse(text.toString());
            assertThat(key).hasToString(text.toString());
          } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageStartingWith("must be ");
          }
        });
  }

  @Test
  void partition_anyKey_isInRange() {
    Seeded.check(
        1_000,
        random -> {
          int partitions = 1 + random.nextInt(200);
          QuotaKey key = QuotaKey.of(RULE, values(random));
          assertThat(key.partition(partitions)).isBetween(0, partitions - 1);
          assertThat(QuotaKey.parse(key.toString()).partition(partitions))
              .isEqualTo(key.partition(partitions));
        });
  }

  /** A change here moves keys that are being counted: {@link QuotaKey#HASH_VERSION} must follow. */
  @ParameterizedTest
  @CsvSource({
    "posts/per-user/42, 16, 2",
    "posts/per-user/43, 16, 1",
    "posts/per-user, 16, 1",
    "posts/per-user/, 16, 4",
    "reads/per-key/a%20b/%E4%BD%A0, 16, 9",
    "reads/per-key/a%20b/%E4%BD%A0, 31, 8"
  })
  void partition_goldenKey_neverMoves(String text, int partitions, int partition) {
    assertThat(QuotaKey.parse(text).partition(partitions)).isEqualTo(partition);
  }

  private static List<String> values(SplittableRandom random) {
    List<String> values = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      values.add(value(random));
    }
    return values;
  }

  private static String value(SplittableRandom random) {
    StringBuilder value = new StringBuilder();
    int length = Seeded.oneOf(random, 0, 1, 2, 5, 5, 200, 201, 10_000);
    boolean plain = random.nextBoolean();
    for (int i = 0; i < length; i++) {
      if (plain) {
        value.append((char) ('a' + random.nextInt(26)));
      } else {
        String hostile = "/%~+ ?\0\n\ud800\udbff\udc00\udfff\u00e4\u4f60\uffff2F";
        value.append(hostile.charAt(random.nextInt(hostile.length())));
      }
    }
    return value.toString();
  }
}
