package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PrefixTableTest {

  @Test
  void find_anyTextAmongAnyPrefixes_isAllThatItBeginsWith_longestFirst() {
    Seeded.check(
        5_000,
        random -> {
          Map<String, String> prefixes = new HashMap<>();
          for (int i = random.nextInt(30); i > 0; i--) {
            String prefix = text(random, 6);
            prefixes.put(prefix, "of " + prefix);
          }
          PrefixTable<String> table = new PrefixTable<>(prefixes);
          for (int i = 0; i < 20; i++) {
            String value = text(random, 8);
            assertThat(found(table, value))
                .as("%s in %s", value, prefixes.keySet())
                .containsExactlyElementsOf(
                    prefixes.keySet().stream()
                        .filter(value::startsWith)
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .map(prefixes::get)
                        .toList());
          }
        });
  }

  @Test
  void find_noPrefixes_isNothing() {
    PrefixTable<String> none = new PrefixTable<>(Map.of());

    assertThat(found(none, "")).isEmpty();
    assertThat(found(none, "a")).isEmpty();
  }

  @Test
  void find_emptyPrefix_isOfEveryText_andLast() {
    PrefixTable<String> table = new PrefixTable<>(Map.of("", "all", "a", "a", "b", "b"));

    assertThat(found(table, "")).containsExactly("all");
    assertThat(found(table, "abc")).containsExactly("a", "all");
    assertThat(found(table, "z")).containsExactly("all");
  }

  @Test
  void find_textThatIsAPrefixItself_isAmongThem() {
    PrefixTable<String> table = new PrefixTable<>(Map.of("ab", "ab", "abc", "abc", "a", "a"));

    assertThat(found(table, "ab")).containsExactly("ab", "a");
    assertThat(found(table, "abc")).containsExactly("abc", "ab", "a");
  }

  /** Between a prefix and a text that begins with it, others come in the order of characters. */
  @Test
  void find_awkwardCharacters_areComparedAsTextsAre() {
    Map<String, String> prefixes = new HashMap<>();
    for (String prefix : List.of("\u0000", "\uffff", "\ud83d", "\ud83d\ude00", "a\uffff", "a")) {
      prefixes.put(prefix, prefix);
    }
    PrefixTable<String> table = new PrefixTable<>(prefixes);

    assertThat(found(table, "\ud83d\ude00x")).containsExactly("\ud83d\ude00", "\ud83d");
    assertThat(found(table, "\ud83d\ude01")).containsExactly("\ud83d");
    assertThat(found(table, "a\uffffz")).containsExactly("a\uffff", "a");
    assertThat(found(table, "\u0000\u0000")).containsExactly("\u0000");
    assertThat(found(table, "\u0001")).isEmpty();
  }

  private static List<String> found(PrefixTable<String> table, String text) {
    List<String> found = new ArrayList<>();
    for (int i = table.longest(text); i >= 0; i = table.shorter(i)) {
      found.add(table.get(i));
    }
    return found;
  }

  private static String text(SplittableRandom random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append("abc".charAt(random.nextInt(3)));
    }
    return text.toString();
  }
}
