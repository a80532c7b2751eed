package io.quotaenforcer.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for the enforcer to ask. */
final class EnforcerOption {
  private static final String VARIABLE = "QUOTA_ENFORCER";
  private static final String DEFAULT_ENFORCER = "http://127.0.0.1:8089";

  @Option(
      names = "--enforcer",
      paramLabel = "URL",
      description =
          "HTTP address of any enforcer. Default: $QUOTA_ENFORCER, or http://127.0.0.1:8089.")
  private @Nullable String enforcer;

  EnforcerAddress address(CommandSpec spec, CommonOptions options) {
    String ofEnvironment = options.environment().get(VARIABLE);
    if (enforcer != null) {
      return address(spec, "--enforcer", enforcer, "--enforcer");
    }
    if (ofEnvironment != null) {
      return address(spec, "$" + VARIABLE, ofEnvironment, "$" + VARIABLE);
    }
    return address(
        spec, "--enforcer", DEFAULT_ENFORCER, "by default; see --enforcer and $" + VARIABLE);
  }

  private static EnforcerAddress address(
      CommandSpec spec, String name, String text, String origin) {
    return EnforcerClient.address(text)
        .map(uri -> new EnforcerAddress(uri, origin))
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "must be an http:// or https:// URL: " + name + "=" + text));
  }
}
