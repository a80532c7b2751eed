package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.HashKeySource;
import io.quotaenforcer.core.hash.HashKeys;
import java.nio.file.Path;

/**
 * A file of the keys by which rules hash values, as the setting {@code hash.keys.file} names it:
 * for {@linkplain AdmissionClient#standalone standalone} clients and for tools. An {@link
 * AdmissionClient} reads it by itself, and again when it changes.
 */
public final class HashKeyFile {
  private HashKeyFile() {}

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException that says what is wrong with the file, and never what it says
   */
  public static HashKeys read(Path file) {
    return HashKeySource.ofFile(file).current();
  }
}
