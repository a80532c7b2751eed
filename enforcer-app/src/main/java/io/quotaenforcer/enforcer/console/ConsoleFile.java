package io.quotaenforcer.enforcer.console;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the console, as it is sent.
 *
 * @param etag changes with its content
 */
record ConsoleFile(MediaType type, HttpData plain, HttpData compressed, String etag) {
  private static final int ETAG_BYTES = 8;

  /** Reads a resource of the class path, which must be there. */
  static ConsoleFile of(MediaType type, String resource) {
    try (InputStream in = ConsoleFile.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + resource);
      }
      byte[] plain = in.readAllBytes();
      return new ConsoleFile(
          type, HttpData.wrap(plain), HttpData.wrap(compressed(plain)), etag(plain));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] compressed(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static String etag(byte[] plain) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(plain);
      return '"' + HexFormat.of().formatHex(hash, 0, ETAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  String text() {
    return plain.toStringUtf8();
  }
}
