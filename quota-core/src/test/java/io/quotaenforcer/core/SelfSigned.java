package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate of 127.0.0.1 that the JDK's {@code keytool} made.
 *
 * @param certificate in PEM, as is its key
 */
public record SelfSigned(Path certificate, Path key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Makes one in a folder. */
  public static SelfSigned in(Path folder) throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new SelfSigned(
        pem(folder, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
        pem(folder, "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
  }

  private static Path pem(Path folder, String what, byte[] encoded) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        folder.resolve(what.toLowerCase(Locale.ROOT).replace(' ', '-') + ".pem"),
        "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, body, what));
  }

  /** The context of a client that trusts this certificate, and nothing else. */
  public SSLContext trusted() throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null);
    trusted.setCertificateEntry(
        "server",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(certificate))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
