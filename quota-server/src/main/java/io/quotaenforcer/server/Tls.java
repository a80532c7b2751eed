package io.quotaenforcer.server;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a server proves itself with, in PEM files.
 *
 * @param certificate with those of its issuers behind it
 * @param key unencrypted, PKCS 8
 */
public record Tls(Path certificate, Path key) {
  public Tls {
    check("tls.certificate.file", certificate);
    check("tls.key.file", key);
  }

  private static void check(String setting, Path file) {
    if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
      throw new HttpException(
          "cannot use %s: there is no such file, or it may not be read by this process: %s"
              .formatted(setting, file),
          new IllegalArgumentException(file.toString()));
    }
  }
}
