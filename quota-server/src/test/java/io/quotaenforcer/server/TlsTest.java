package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  @TempDir private Path folder;

  @Test
  void certificate_thatIsNone_isRefusedWithWhatToDo() throws IOException {
    Path garbage = Files.writeString(folder.resolve("cert.pem"), "garbage");

    assertThatThrownBy(() -> new Tls(garbage, garbage))
        .isInstanceOf(HttpException.class)
        .hasMessageContaining("tls.certificate.file: it must hold certificates in PEM")
        .hasMessageEndingWith(garbage.toString());
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    Path none = folder.resolve("none");

    assertThatThrownBy(() -> new Tls(none, none)).hasMessageContaining("there is no such file");
  }
}
