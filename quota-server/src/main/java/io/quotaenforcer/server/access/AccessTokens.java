package io.quotaenforcer.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quotaenforcer.server.HttpException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers of a file, each known by the hash of a token: the file does not tell the tokens. It
 * is read for each request, so that a change takes effect at once. How long a comparison takes does
 * not depend on the token that was sent.
 */
public final class AccessTokens {
  private static final Logger log = LoggerFactory.getLogger(AccessTokens.class);
  private static final String SCHEME = "Bearer ";
  private static final long MOST_BYTES = 64 << 10;
  private static final int HASH_CHARS = 64;

  private final Optional<Path> file;
  private final String setting;

  /** The answer to a token. */
  public sealed interface Answer {
    /** It is one of the file. */
    record Known(Caller caller) implements Answer {}

    /** There is none, or it is not one of the file. */
    record Unknown() implements Answer {}

    /** Nobody may ask. */
    record Closed() implements Answer {}
  }

  private record Entry(Caller caller, byte[] hash) {}

  private AccessTokens(Optional<Path> file, String setting) {
    this.file = file;
    this.setting = setting;
  }

  /**
   * Reads the file, if one is given.
   *
   * @param setting that names the file
   * @throws HttpException if it is wrong
   */
  public static AccessTokens of(Optional<Path> file, String setting) {
    file.ifPresent(
        path -> {
          try {
            read(path);
          } catch (IOException e) {
            throw new HttpException("cannot use " + setting + ": " + e.getMessage(), e);
          }
        });
    return new AccessTokens(file, setting);
  }

  /**
   * Who sends a header.
   *
   * @param authorization its value; null for none
   */
  public Answer judge(@Nullable String authorization) {
    if (file.isEmpty()) {
      return new Answer.Closed();
    }
    if (authorization == null || !authorization.startsWith(SCHEME)) {
      return new Answer.Unknown();
    }
    byte[] given = sha256(authorization.substring(SCHEME.length()).strip());
    Optional<Caller> found = Optional.empty();
    try {
      for (Entry entry : read(file.get())) {
        // All of them are compared, whichever it is.
        if (MessageDigest.isEqual(given, entry.hash)) {
          found = Optional.of(entry.caller);
        }
      }
    } catch (IOException e) {
      log.warn("cannot use {}, so that nobody may ask: {}", setting, e.getMessage());
    }
    return found.<Answer>map(Answer.Known::new).orElseGet(Answer.Unknown::new);
  }

  private static List<Entry> read(Path path) throws IOException {
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw new IOException("there is no such file, or it may not be read: " + path);
    }
    if (Files.size(path) > MOST_BYTES) {
      throw new IOException("must hold " + MOST_BYTES + " bytes at most: " + path);
    }
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int number = 0;
    for (String line : Files.readAllLines(path)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && text.charAt(0) != '#') {
        Entry entry = parse(text, path + ":" + number);
        if (!names.add(entry.caller.name())) {
          throw new IOException(
              "each name must be given only once: %s at %s:%d"
                  .formatted(entry.caller.name(), path, number));
        }
        entries.add(entry);
      }
    }
    if (entries.isEmpty()) {
      throw new IOException("must name somebody, with lines NAME ROLE SHA256: " + path);
    }
    return entries;
  }

  private static Entry parse(String line, String place) throws IOException {
    String[] parts = line.split("\\s+");
    boolean isRight =
        parts.length == 3
            && parts[0].matches("[a-zA-Z0-9._@-]{1,100}")
            && parts[2].length() == HASH_CHARS
            && parts[2].matches("[0-9a-fA-F]+");
    Optional<Role> role = isRight ? role(parts[1]) : Optional.empty();
    if (role.isEmpty()) {
      throw new IOException(
          "must be NAME ROLE SHA256, with viewer or operator and what `printf %s TOKEN | sha256sum`"
              + " prints: "
              + place);
    }
    return new Entry(new Caller(parts[0], role.get()), HexFormat.of().parseHex(parts[2]));
  }

  private static Optional<Role> role(String word) {
    for (Role role : Role.values()) {
      if (role.word().equals(word.toLowerCase(Locale.ROOT))) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }

  /** The line of such a file by which a token is known. */
  public static String line(String name, Role role, String token) {
    return "%s %s %s".formatted(name, role.word(), HexFormat.of().formatHex(sha256(token)));
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
