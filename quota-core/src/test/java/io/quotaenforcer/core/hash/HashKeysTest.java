package io.quotaenforcer.core.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashKeysTest {
  private static final String EMAIL = "ann@example.com";
  private static final HashKey OLD = key("2026-11", 1);
  private static final HashKey NEW = key("2026-12", 2);
  private static final HashKeys BOTH = HashKeys.of(List.of(OLD, NEW));

  private static HashKey key(String id, int seed) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) seed);
    return new HashKey(id, secret);
  }

  /** The hash of a text by test case 7 of RFC 4231 has a key that is too long here; 6 likewise. */
  @Test
  void text_ofRfc4231_isTheFirstHalfOfItsHash() {
    // Case 3: key 0xaa 20 times, padded with zeros as HMAC does; data 0xdd 50 times is no UTF-8, so
    // case 2: key "Jefe", padded alike.
    byte[] padded = Arrays.copyOf("Jefe".getBytes(StandardCharsets.US_ASCII), 32);
    String hash = new HashKey("k", padded).text("what do ya want for nothing?");

    assertThat(hash).startsWith("h.k.");
    assertThat(HexFormat.of().formatHex(Base64.getUrlDecoder().decode(hash.substring(4))))
        .isEqualTo("5bdcc146bf60754e6a042426089575c7");
  }

  @Test
  void text_ofAnotherKeyOrValue_isAnother() {
    assertThat(OLD.text(EMAIL)).isEqualTo(OLD.text(EMAIL)).hasSize(2 + 7 + 1 + 22);
    assertThat(OLD.text(EMAIL)).isNotEqualTo(OLD.text("Ann@example.com"));
    assertThat(OLD.text(EMAIL).substring(10)).isNotEqualTo(NEW.text(EMAIL).substring(10));
    assertThat(OLD.text("\ud800")).as("no value has another's bytes").isNotEqualTo(OLD.text("?"));
  }

  @Test
  void texts_byTwoKeys_areTheOldersFirst_andCanBeToldApart() {
    List<String> texts = BOTH.texts(EMAIL);

    assertThat(texts).containsExactly(OLD.text(EMAIL), NEW.text(EMAIL));
    assertThat(HashedText.split(HashedText.join(texts))).isEqualTo(texts);
    assertThat(texts).extracting(HashedText::keyId).containsExactly("2026-11", "2026-12");
    assertThat(HashKeys.NONE.texts(EMAIL)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h.",
        "ann@example.com",
        "h.k.AAAAAAAAAAAAAAAAAAAAA",
        "h.k.AAAAAAAAAAAAAAAAAAAAAB",
        "h.k.AAAAAAAAAAAAAAAAAAAAAAA",
        "h..AAAAAAAAAAAAAAAAAAAAAA",
        "h.k.AAAAAAAAAAAAAAAAAAAAAA+",
        "h.k.AAAAAAAAAAAAAAAAAAAAAA+h.k.AAAAAAAAAAAAAAAAAAAAAA",
        "h.k.AAAAAAAAAAAAAAAAAAAAAA+h.l.AAAAAAAAAAAAAAAAAAAAAA+h.m.AAAAAAAAAAAAAAAAAAAAAA",
        "h.k/x.AAAAAAAAAAAAAAAAAAAAAA"
      })
  void split_ofAnythingElse_isNoHash(String text) {
    assertThat(HashedText.split(text)).isEmpty();
  }

  /** Whoever could have a value taken for a hash could use up another's quota, or hide. */
  @Test
  void texts_valueOfACallerThatLooksHashed_isHashedAgain_butNotThatOfAnotherProcess() {
    String hash = OLD.text(EMAIL);

    assertThat(BOTH.texts(Request.of("email", hash), hash)).isEqualTo(BOTH.texts(hash));
    assertThat(BOTH.texts(Request.received(Map.of("email", hash), 1), hash)).containsExactly(hash);
  }

  @Test
  void leaving_hashesWhatIsNamed_andNothingElse() {
    Request request = new Request(Map.of("email", EMAIL, "user", "42"), 3);

    Request leaving = BOTH.leaving(request, Set.of("email", "phone"));

    assertThat(leaving.isReceived()).isTrue();
    assertThat(leaving.cost()).isEqualTo(3);
    assertThat(leaving.attributes())
        .isEqualTo(Map.of("email", OLD.text(EMAIL) + "+" + NEW.text(EMAIL), "user", "42"));
    assertThat(BOTH.leaving(leaving, Set.of("email"))).as("only once").isEqualTo(leaving);
    assertThat(BOTH.leaving(request, Set.of("phone"))).isSameAs(request);
    assertThat(HashKeys.NONE.leaving(request, Set.of("email")).attributes())
        .isEqualTo(Map.of("user", "42"));
  }

  @Test
  void keys_areShownByTheirNamesOnly() {
    assertThat(BOTH).hasToString("HashKeys[2026-11, 2026-12]");
    assertThat(OLD).hasToString("HashKey[2026-11]");
    assertThat(BOTH).isEqualTo(HashKeys.of(List.of(key("2026-11", 1), key("2026-12", 2))));
    assertThat(BOTH).isNotEqualTo(HashKeys.of(List.of(key("2026-11", 3), NEW)));
  }

  @Test
  void keys_ofNobodyElse_areOthersEachTime() {
    SplittableRandom random = new SplittableRandom(7);
    assertThat(HashKeys.ofProcess(random)).isNotEqualTo(HashKeys.ofProcess(random));
  }

  @Test
  void keys_thatCannotBe_areRefused() {
    assertThatThrownBy(() -> HashKeys.of(List.of(OLD, NEW, key("x", 3))))
        .hasMessage("must be at most 2 hash keys: count=3");
    assertThatThrownBy(() -> HashKeys.of(List.of(OLD, key("2026-11", 3))))
        .hasMessage("must be different ids of hash keys: ids=[2026-11, 2026-11]");
    assertThatThrownBy(() -> new HashKey("a", new byte[31]))
        .hasMessage("must have 32 to 64 bytes: hash key a has 31");
    assertThatThrownBy(() -> new HashKey("a.b", new byte[32])).hasMessageStartingWith("must be 1");
  }
}
