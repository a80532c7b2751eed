package io.quotaenforcer.cli;

import io.quotaenforcer.client.HashKeyFile;
import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.enforcer.ExitCode;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the keys by which rules hash values. */
final class HashKeysOption {
  private static final String FILE_VARIABLE = "QUOTA_HASH_KEYS_FILE";
  private static final String KEYS_VARIABLE = "QUOTA_HASH_KEYS";

  /** Advice for when a rule hashes and there are no keys. */
  static final String GIVE =
      "give the keys of the services (--hash-keys FILE, $QUOTA_HASH_KEYS_FILE or $QUOTA_HASH_KEYS)";

  @Option(
      names = "--hash-keys",
      paramLabel = "FILE",
      description =
          "File with the keys by which rules hash values (hash.keys.file of the services). Default:"
              + " $QUOTA_HASH_KEYS_FILE, or the keys in $QUOTA_HASH_KEYS.")
  private @Nullable Path file;

  /** The keys; none if none are given. */
  HashKeys keys(Map<String, String> environment) {
    String ofVariable = environment.getOrDefault(FILE_VARIABLE, "");
    Path given = file;
    if (given != null) {
      return read("--hash-keys", () -> HashKeyFile.read(given));
    }
    if (!ofVariable.isBlank()) {
      return read("$" + FILE_VARIABLE, () -> HashKeyFile.read(Path.of(ofVariable)));
    }
    String text = environment.getOrDefault(KEYS_VARIABLE, "");
    return text.isBlank()
        ? HashKeys.NONE
        : read("$" + KEYS_VARIABLE, () -> HashKeyText.parse(text));
  }

  /** The keys as settings of an admission client. */
  Map<String, String> asSettings(Map<String, String> environment) {
    if (keys(environment).isEmpty()) {
      return Map.of();
    }
    String path = file == null ? environment.getOrDefault(FILE_VARIABLE, "") : String.valueOf(file);
    return path.isBlank()
        ? Map.of("hash.keys", environment.getOrDefault(KEYS_VARIABLE, ""))
        : Map.of("hash.keys.file", path);
  }

  private static HashKeys read(String origin, Supplier<HashKeys> source) {
    try {
      return source.get();
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, origin + ": " + e.getMessage(), e);
    }
  }
}
