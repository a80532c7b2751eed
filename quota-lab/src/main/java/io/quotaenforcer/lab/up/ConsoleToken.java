package io.quotaenforcer.lab.up;

import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The token that opens the console and the HTTP API of {@code quota up}: made once for a data
 * folder, and read by its owner only.
 *
 * @param secret file with the token
 * @param known file by which the enforcer knows it
 */
record ConsoleToken(Path secret, Path known) {
  private static final int TOKEN_BYTES = 24;
  private static final String NAME = "you";

  /**
   * The token of a data folder.
   *
   * @throws UpException if its files cannot be read or written
   */
  static ConsoleToken in(Path data) {
    ConsoleToken token =
        new ConsoleToken(data.resolve("console-token"), data.resolve("api-tokens"));
    try {
      Files.createDirectories(data);
      if (!Files.exists(token.secret)) {
        Files.createFile(token.secret, ownersOnly());
      }
      String text = Files.readString(token.secret).strip();
      if (text.isEmpty()) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        text = HexFormat.of().formatHex(random);
        Files.writeString(token.secret, text + "\n");
      }
      Files.writeString(token.known, AccessTokens.line(NAME, Role.OPERATOR, text) + "\n");
    } catch (IOException e) {
      throw new UpException("cannot keep the console's token in " + data + ": " + e.getMessage());
    }
    return token;
  }

  private static FileAttribute<?>[] ownersOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
