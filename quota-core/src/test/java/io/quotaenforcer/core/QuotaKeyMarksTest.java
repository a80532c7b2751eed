package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that are too long to stand in a key, and the hashes that stand there for them. */
class QuotaKeyMarksTest {
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final String LONG = "x".repeat(QuotaKey.MAX_VALUE_CHARS + 1);
  private static final String OTHER = "y".repeat(QuotaKey.MAX_VALUE_CHARS + 1);
  private static final String MARK = QuotaKey.hash("a limit");

  @Test
  void isTooLong_aboveTheBound_only() {
    assertThat(QuotaKey.isTooLong("")).isFalse();
    assertThat(QuotaKey.isTooLong("x".repeat(QuotaKey.MAX_VALUE_CHARS))).isFalse();
    assertThat(QuotaKey.isTooLong(LONG)).isTrue();
  }

  /** The digest of {@code abc} as FIPS 180-2 gives it, so that no version of Java has another. */
  @Test
  void hash_knownValue_isItsSha256() {
    assertThat(QuotaKey.hash("abc"))
        .isEqualTo("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void hash_valuesThatUtf8WouldConfuse_areDifferent() {
    assertThat(QuotaKey.hash("\ud800")).isNotEqualTo(QuotaKey.hash("\ud801"));
    assertThat(QuotaKey.hash("\ud800")).isNotEqualTo(QuotaKey.hash("?"));
    assertThat(QuotaKey.hash("\ud83d\ude00")).isNotEqualTo(QuotaKey.hash("\ude00\ud83d"));
  }

  @Test
  void of_longValue_isHashedWhereItStands_andOthersAreNot() {
    QuotaKey key = QuotaKey.of(RULE, List.of("42", LONG, "eu"));

    assertThat(key.values()).containsExactly("42", QuotaKey.hash(LONG), "eu");
    assertThat(key.isHashed(0)).isFalse();
    assertThat(key.isHashed(1)).isTrue();
    assertThat(key.isHashed(2)).isFalse();
    assertThat(key.isDenied()).isFalse();
  }

  /** Who sends the text of a hash is not taken for the one who sends the long value. */
  @Test
  void of_valueThatLooksLikeAHash_isAnotherKey() {
    QuotaKey hashed = QuotaKey.of(RULE, List.of(LONG));
    QuotaKey alike = QuotaKey.of(RULE, hashed.values());

    assertThat(alike.values()).isEqualTo(hashed.values());
    assertThat(alike).isNotEqualTo(hashed);
    assertThat(alike.isHashed(0)).isFalse();
    assertThat(QuotaKey.parse(alike.toString()).isHashed(0)).isFalse();
    assertThat(QuotaKey.parse(hashed.toString()).isHashed(0)).isTrue();
  }

  @Test
  void ofDenied_longValues_areOneKey_whateverTheyAre() {
    QuotaKey denied = QuotaKey.ofDenied(RULE, List.of("42", LONG));

    assertThat(denied.isDenied()).isTrue();
    assertThat(denied).isEqualTo(QuotaKey.ofDenied(RULE, List.of("42", OTHER)));
    assertThat(denied).isNotEqualTo(QuotaKey.ofDenied(RULE, List.of("43", LONG)));
    assertThat(denied).isNotEqualTo(QuotaKey.of(RULE, List.of("42", LONG)));
    assertThat(QuotaKey.parse(denied.toString()).isDenied()).isTrue();
  }

  @Test
  void isDenied_valueThatSpellsTheHashOfTheDenied_isNot() {
    String spelled = QuotaKey.ofDenied(RULE, List.of(LONG)).values().get(0);

    assertThat(QuotaKey.of(RULE, List.of(spelled)).isDenied()).isFalse();
    assertThat(QuotaKey.of(RULE, List.of("42", spelled)).isDenied()).isFalse();
  }

  @Test
  void ofMarked_longValues_haveTheMarkWhereItIsMeant_andTheirHashElsewhere() {
    List<String> values = List.of("42", LONG, OTHER);
    QuotaKey marked = QuotaKey.ofMarked(RULE, values, MARK, index -> index == 1);

    assertThat(marked.values()).containsExactly("42", MARK, QuotaKey.hash(OTHER));
    assertThat(marked.isHashed(1)).isTrue();
    assertThat(marked.isDenied()).isFalse();
    assertThat(marked)
        .isEqualTo(QuotaKey.ofMarked(RULE, List.of("42", OTHER, OTHER), MARK, index -> index == 1));
    assertThat(QuotaKey.parse(marked.toString())).isEqualTo(marked);
  }

  @Test
  void ofMarked_valuesThatAreNotTooLong_standAsTheyAre() {
    assertThat(QuotaKey.ofMarked(RULE, List.of("42", "eu"), MARK, index -> true))
        .isEqualTo(QuotaKey.of(RULE, List.of("42", "eu")));
    assertThat(QuotaKey.ofDenied(RULE, List.of("42"))).isEqualTo(QuotaKey.of(RULE, List.of("42")));
  }

  /** One key to each set of values, whichever of them are too long. */
  @Test
  void of_anyValues_sayWhichAreHashed_andReadTheSame() {
    Seeded.check(
        2_000,
        random -> {
          String[] values = new String[1 + random.nextInt(4)];
          for (int i = 0; i < values.length; i++) {
            values[i] =
                Seeded.oneOf(random, "", "a", "~", "%", "sha256:", LONG, OTHER, LONG + "x", MARK);
          }
          QuotaKey key = QuotaKey.parse(QuotaKey.of(RULE, List.of(values)).toString());
          for (int i = 0; i < values.length; i++) {
            boolean tooLong = QuotaKey.isTooLong(values[i]);
            assertThat(key.isHashed(i)).as("%s at %d", key, i).isEqualTo(tooLong);
            assertThat(key.values().get(i))
                .isEqualTo(tooLong ? QuotaKey.hash(values[i]) : values[i]);
          }
        });
  }
}
