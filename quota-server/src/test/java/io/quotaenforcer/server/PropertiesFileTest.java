package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PropertiesFileTest {
  @TempDir Path folder;

  @Test
  void file_withComments_isRead() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "# comment\nhttp.port = 1\nname=ä\n");

    assertThat(PropertiesFile.read(file).values()).isEqualTo(Map.of("http.port", "1", "name", "ä"));
  }

  @Test
  void file_withAKeyTwice_isRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "http.port=1\nhttp.port=2\n");

    assertThat(PropertiesFile.read(file).problems())
        .singleElement()
        .asString()
        .isEqualTo(file + ": must be given only once: http.port");
  }

  @Test
  void file_thatCannotBeRead_isNamed() throws Exception {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xC3, 0x28});
    Path missing = folder.resolve("missing");

    assertThat(PropertiesFile.read(missing).problems())
        .singleElement()
        .asString()
        .isEqualTo(missing + ": cannot be read: there is no such file");
    assertThat(PropertiesFile.read(binary).problems())
        .singleElement()
        .asString()
        .isEqualTo(binary + ": cannot be read: it is not UTF-8 text");
    assertThat(PropertiesFile.read(folder).problems())
        .singleElement()
        .asString()
        .startsWith(folder + ": cannot be read: ");
  }
}
