package io.quotaenforcer.lab.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTokenTest {
  @TempDir Path folder;

  @Test
  void token_ofAFolder_staysTheSame_andIsAnOperators() throws Exception {
    ConsoleToken first = ConsoleToken.in(folder.resolve("data"));
    String text = Files.readString(first.secret()).strip();
    ConsoleToken.in(folder.resolve("data"));

    assertThat(Files.readString(first.secret()).strip()).isEqualTo(text).hasSize(48);
    assertThat(Files.readString(first.known())).doesNotContain(text);
    AccessTokens.Answer answer =
        AccessTokens.of(Optional.of(first.known()), "tokens").judge("Bearer " + text);
    assertThat(answer).isInstanceOf(AccessTokens.Answer.Known.class);
    assertThat(((AccessTokens.Answer.Known) answer).caller().role()).isEqualTo(Role.OPERATOR);
  }

  @Test
  void token_isItsOwnersOnly() throws Exception {
    ConsoleToken token = ConsoleToken.in(folder);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token.secret())))
        .isEqualTo("rw-------");
  }

  /** A crash between making the file and filling it leaves this. */
  @Test
  void token_whoseFileIsEmpty_isMade() throws Exception {
    Files.createFile(folder.resolve("console-token"));

    assertThat(Files.readString(ConsoleToken.in(folder).secret()).strip()).isNotEmpty();
  }

  @Test
  void folder_thatIsAFile_isSaid() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> ConsoleToken.in(file))
        .isInstanceOf(UpException.class)
        .hasMessageContaining("cannot keep the console's token in " + file);
  }
}
