package io.quotaenforcer.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.access.AccessTokens.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTokensTest {
  private static final String SETTING = "http.api.tokens.file";

  /** Of "abc", by FIPS 180-2. */
  private static final String HASH =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("tokens"), text);
  }

  private AccessTokens tokens(String text) throws IOException {
    return AccessTokens.of(Optional.of(file(text)), SETTING);
  }

  @Test
  void token_isKnownByItsHash() throws Exception {
    AccessTokens tokens = tokens("# people\n\nann operator " + HASH + "\n");

    assertThat(tokens.judge("Bearer abc"))
        .isEqualTo(new Answer.Known(new Caller("ann", Role.OPERATOR)));
    assertThat(tokens.judge("Bearer abd")).isEqualTo(new Answer.Unknown());
    assertThat(tokens.judge("Bearer " + HASH)).isEqualTo(new Answer.Unknown());
    assertThat(tokens.judge("abc")).isEqualTo(new Answer.Unknown());
    assertThat(tokens.judge(null)).isEqualTo(new Answer.Unknown());
  }

  @Test
  void file_isReadAnew_andNobodyMayAskWhileItIsWrong() throws Exception {
    AccessTokens tokens = tokens("ann viewer " + HASH);
    file("bob operator " + HASH);
    assertThat(tokens.judge("Bearer abc"))
        .isEqualTo(new Answer.Known(new Caller("bob", Role.OPERATOR)));
    file("bob operator");
    assertThat(tokens.judge("Bearer abc")).isEqualTo(new Answer.Unknown());
    Files.delete(folder.resolve("tokens"));
    assertThat(tokens.judge("Bearer abc")).isEqualTo(new Answer.Unknown());
  }

  @Test
  void withoutAFile_nobodyMayAsk() {
    assertThat(AccessTokens.of(Optional.empty(), SETTING).judge("Bearer abc"))
        .isEqualTo(new Answer.Closed());
  }

  @Test
  void roles_includeThoseBefore() {
    assertThat(Role.OPERATOR.includes(Role.VIEWER)).isTrue();
    assertThat(Role.VIEWER.includes(Role.OPERATOR)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|must name somebody",
        "ann viewer|must be NAME ROLE SHA256",
        "ann admin HASH|must be NAME ROLE SHA256",
        "a:b viewer HASH|must be NAME ROLE SHA256",
        "ann viewer abc|must be NAME ROLE SHA256",
        "ann viewer HASH;ann operator HASH|each name must be given only once: ann",
      })
  void file_thatIsWrong_stopsTheStart(String lines, String reason) {
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> tokens(lines.replace("HASH", HASH).replace(';', '\n')))
        .withMessageStartingWith("cannot use http.api.tokens.file: ")
        .withMessageContaining(reason);
  }
}
