package io.quotaenforcer.enforcer.cli;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that says which enforcer is asked. */
final class EnforcerOption {
  private static final String DEFAULT_ENFORCER = "http://127.0.0.1:8089";

  @Option(
      names = "--enforcer",
      paramLabel = "URL",
      description =
          "HTTP address of any enforcer. Default: $QUOTA_ENFORCER, or http://127.0.0.1:8089.")
  private @Nullable String enforcer;

  URI address(CommandSpec spec, CommonOptions options) {
    String text =
        Optional.ofNullable(enforcer)
            .or(() -> Optional.ofNullable(options.environment().get("QUOTA_ENFORCER")))
            .orElse(DEFAULT_ENFORCER);
    return EnforcerClient.address(text)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "must be an http:// or https:// URL: --enforcer=" + text));
  }
}
