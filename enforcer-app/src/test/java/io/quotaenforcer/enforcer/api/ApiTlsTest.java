package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.SelfSigned;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Enforcers with TLS ask each other with TLS, and nobody without. */
@Timeout(60)
class ApiTlsTest {
  @TempDir Path folder;

  @Test
  void enforcers_knowEachOtherByTheirCertificates() throws Exception {
    SelfSigned known = SelfSigned.in(Files.createDirectory(folder.resolve("known")));
    SelfSigned other = SelfSigned.in(Files.createDirectory(folder.resolve("other")));
    try (ApiSite one = ApiSite.secure(folder, known).ready();
        ApiSite two = ApiSite.secure(folder, known).ready();
        ApiSite stranger = ApiSite.secure(folder, other).ready()) {
      one.enforcers.add(two.address());
      assertThat(one.answer(ApiRoutes.OVERVIEW, "/overview").path("enforcers")).hasSize(2);

      one.enforcers.add(stranger.address());
      assertThat(one.answer(ApiRoutes.OVERVIEW, "/overview").at("/missing/0/enforcer").asText())
          .isEqualTo(stranger.address().toString());
      assertThat(plain(one.port())).doesNotContain("200");
    }
  }

  private static String plain(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
