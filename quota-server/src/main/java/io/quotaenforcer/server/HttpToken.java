package io.quotaenforcer.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may see headers and payloads: clients that send the token in a file. The file is read
 * for every query, so that a new token takes effect at once.
 */
public final class HttpToken {
  /** Shorter ones are guessed. */
  static final int LEAST_LENGTH = 16;

  private static final Logger log = LoggerFactory.getLogger(HttpToken.class);
  private static final String SCHEME = "Bearer ";
  private static final long MOST_BYTES = 4_096;

  private final Optional<Path> file;

  /** Outcome of checking a client's token. */
  public enum Answer {
    ALLOWED,
    /** Nobody is. */
    DISABLED,
    REFUSED
  }

  private HttpToken(Optional<Path> file) {
    this.file = file;
  }

  /**
   * Reads the token's file, if one is given.
   *
   * @throws HttpException if it holds no token
   */
  public static HttpToken of(Optional<Path> file) {
    file.ifPresent(
        path -> {
          try {
            read(path);
          } catch (IOException e) {
            throw new HttpException("cannot use http.token.file: " + e.getMessage(), e);
          }
        });
    return new HttpToken(file);
  }

  /**
   * Checks a client's credentials.
   *
   * @param authorization value of the header; null for none
   */
  public Answer judge(@Nullable String authorization) {
    if (file.isEmpty()) {
      return Answer.DISABLED;
    }
    if (authorization == null || !authorization.startsWith(SCHEME)) {
      return Answer.REFUSED;
    }
    try {
      byte[] given = authorization.substring(SCHEME.length()).strip().getBytes(UTF_8);
      boolean same = MessageDigest.isEqual(given, read(file.get()).getBytes(UTF_8));
      return same ? Answer.ALLOWED : Answer.REFUSED;
    } catch (IOException e) {
      log.warn("cannot use http.token.file, so that nobody is shown payloads: {}", e.getMessage());
      return Answer.REFUSED;
    }
  }

  private static String read(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IOException("there is no such file, or it is none: " + path);
    }
    if (!Files.isReadable(path)) {
      throw new IOException("it may not be read by this process: " + path);
    }
    if (Files.size(path) > MOST_BYTES) {
      throw new IOException("must hold " + MOST_BYTES + " bytes at most: " + path);
    }
    String token = Files.readString(path).strip();
    if (token.length() < LEAST_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IOException(
          "must hold one token of %d characters or more, without blanks (such as `openssl rand -hex 32` makes): %s"
              .formatted(LEAST_LENGTH, path));
    }
    return token;
  }
}
