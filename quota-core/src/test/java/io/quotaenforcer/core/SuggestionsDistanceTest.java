package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many slips of the keyboard a word may be away from what was meant. */
class SuggestionsDistanceTest {
  private static final String LETTERS = "abk";

  @ParameterizedTest
  @CsvSource({
    // A letter left out, put in, replaced, swapped: one slip each.
    "limt, limit",
    "limmit, limit",
    "limix, limit",
    "lmiit, limit",
    "LIMIT, limit",
    // Short words may have one slip, longer ones a third of their letters, and none more than
    // three.
    "ke, key",
    "k, ky",
    "perimts, permits",
    "prmitss, permits",
    "enforcment-md, enforcement-mode"
  })
  void nearest_asFewSlipsAsTheLengthAllows_isFound(String word, String meant) {
    assertThat(Suggestions.nearest(word, List.of(meant))).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"kx, key", "lxmxx, limit", "enfrcmnt-md, enforcement-mode", "'', key", "x, key"})
  void nearest_moreSlips_isNotFound(String word, String other) {
    assertThat(Suggestions.nearest(word, List.of(other))).isEmpty();
  }

  @Test
  void nearest_severalAsNear_isTheFirst_aNearerOneBeforeIt() {
    assertThat(Suggestions.nearest("limit", List.of("limits", "limit2"))).contains("limits");
    assertThat(Suggestions.nearest("limits", List.of("limit", "limits", "limit2")))
        .contains("limits");
    assertThat(Suggestions.nearest("limit", List.of())).isEmpty();
  }

  @Test
  void nearest_wordOfAsManyCharactersAsAreLookedAt_isFound_oneMoreIsNot() {
    String longest = "x".repeat(100);

    assertThat(Suggestions.nearest(longest, List.of(longest))).contains(longest);
    assertThat(Suggestions.nearest(longest + "x", List.of(longest + "x"))).isEmpty();
  }

  /** By trying every slip there is, letter by letter. */
  @Test
  void nearest_anyWordAndOneCandidate_isFoundIfOneSlipLeadsThere() {
    Seeded.check(
        3_000,
        random -> {
          String word = word(random, 1 + random.nextInt(5));
          String candidate = word(random, 1 + random.nextInt(5));
          Optional<String> found = Suggestions.nearest(word, List.of(candidate));
          boolean oneSlip = word.equals(candidate) || slips(word).contains(candidate);
          assertThat(found.isPresent()).as("%s for %s", candidate, word).isEqualTo(oneSlip);
        });
  }

  @Test
  void nearest_amongMany_isOneOfTheNearest() {
    Seeded.check(
        2_000,
        random -> {
          String word = word(random, 3 + random.nextInt(3));
          List<String> candidates = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            candidates.add(word(random, 1 + random.nextInt(6)));
          }
          Set<String> near = slips(word);
          Optional<String> expected =
              candidates.contains(word)
                  ? Optional.of(word)
                  : candidates.stream().filter(near::contains).findFirst();
          assertThat(Suggestions.nearest(word, candidates))
              .as("%s among %s", word, candidates)
              .isEqualTo(expected);
          assertThat(Suggestions.nearest(word.toUpperCase(Locale.ROOT), candidates))
              .isEqualTo(expected);
        });
  }

  private static Set<String> slips(String word) {
    Set<String> slips = new HashSet<>();
    for (int i = 0; i <= word.length(); i++) {
      for (char letter : LETTERS.toCharArray()) {
        slips.add(word.substring(0, i) + letter + word.substring(i));
        if (i < word.length()) {
          slips.add(word.substring(0, i) + letter + word.substring(i + 1));
        }
      }
      if (i < word.length()) {
        slips.add(word.substring(0, i) + word.substring(i + 1));
      }
      if (i + 1 < word.length()) {
        slips.add(
            word.substring(0, i) + word.charAt(i + 1) + word.charAt(i) + word.substring(i + 2));
      }
    }
    return slips;
  }

  private static String word(SplittableRandom random, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return word.toString();
  }
}
