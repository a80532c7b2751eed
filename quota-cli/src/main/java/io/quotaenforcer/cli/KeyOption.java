package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which quota key's request is meant: each may have one of the same id. */
final class KeyOption {
  @Option(
      names = "--key",
      paramLabel = "QUOTA-KEY",
      converter = QuotaKeyConverter.class,
      description =
          "The quota key of the request, where others have one of the same id:"
              + " posts/per-user/42.")
  private @Nullable QuotaKey key;

  Optional<QuotaKey> get() {
    return Optional.ofNullable(key);
  }
}
