package io.quotaenforcer.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/**
 * The certificate and private key of a server, in PEM files.
 *
 * @param certificate with those of its issuers behind it
 * @param key unencrypted, PKCS 8
 */
public record Tls(Path certificate, Path key) {
  public Tls {
    check("tls.certificate.file", certificate);
    check("tls.key.file", key);
    checkCertificate(certificate);
    checkKey(key);
  }

  private static void checkCertificate(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      if (CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
        throw new CertificateException("it holds none");
      }
    } catch (IOException | CertificateException e) {
      throw new HttpException(
          "cannot use tls.certificate.file: it must hold certificates in PEM, the server's first: "
              + file,
          e);
    }
  }

  /** Whether it fits the certificate is seen when the port opens. */
  private static void checkKey(Path file) {
    try {
      if (!Files.readString(file, ISO_8859_1).contains("-----BEGIN PRIVATE KEY-----")) {
        throw new IOException("it holds none");
      }
    } catch (IOException e) {
      throw new HttpException(
          "cannot use tls.key.file: it must hold an unencrypted key in PEM, PKCS 8, as openssl pkcs8"
              + " -topk8 -nocrypt makes of others: "
              + file,
          e);
    }
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
