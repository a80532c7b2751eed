package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the quota key of a request: several may have requests of the same id. */
final class KeyOption {
  @Option(
      names = "--key",
      paramLabel = "QUOTA-KEY",
      converter = QuotaKeyConverter.class,
      description =
          "The quota key of the request, such as posts/per-user/42; needed if several have a"
              + " request with this id.")
  private @Nullable QuotaKey key;

  Optional<QuotaKey> get() {
    return Optional.ofNullable(key);
  }
}
