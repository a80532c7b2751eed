package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTokenTest {
  private static final String TOKEN = "0123456789abcdef";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "0123456789abcde", "0123456789 abcdef", "0123456789abcdéf"})
  void file_thatHoldsNoToken_isRefusedWithWhatToDo(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), text);

    assertThatThrownBy(() -> HttpToken.of(Optional.of(file)))
        .isInstanceOf(HttpException.class)
        .hasMessageContaining("http.token.file: must hold one token of 16 characters or more")
        .hasMessageContaining("openssl rand -hex 32")
        .hasMessageEndingWith(file.toString());
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    assertThatThrownBy(() -> HttpToken.of(Optional.of(folder)))
        .hasMessageContaining("there is no such file");
    assertThatThrownBy(() -> HttpToken.of(Optional.of(folder.resolve("none"))))
        .hasMessageContaining("there is no such file");
  }

  @Test
  void scheme_otherThanBearer_isRefused() throws IOException {
    HttpToken token = HttpToken.of(Optional.of(Files.writeString(folder.resolve("token"), TOKEN)));

    assertThat(token.judge("Bearer " + TOKEN)).isEqualTo(HttpToken.Answer.ALLOWED);
    assertThat(token.judge("Basic " + TOKEN)).isEqualTo(HttpToken.Answer.REFUSED);
    assertThat(token.judge(TOKEN)).isEqualTo(HttpToken.Answer.REFUSED);
    assertThat(token.judge(null)).isEqualTo(HttpToken.Answer.REFUSED);
  }
}
