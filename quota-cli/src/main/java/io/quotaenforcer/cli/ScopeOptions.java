package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.query.DeferredScope;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that select deferred requests: those of a rule, or of a quota key. */
final class ScopeOptions {
  @Option(
      names = "--rule",
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "Only requests that wait for this rule.")
  private @Nullable RuleId rule;

  @Option(
      names = "--key",
      paramLabel = "QUOTA-KEY",
      converter = QuotaKeyConverter.class,
      description = "Only requests of this quota key, written as stats --by-key shows it.")
  private @Nullable QuotaKey key;

  /** The selected scope; all if neither option is given. */
  DeferredScope scope(CommandSpec spec) {
    if (rule != null && key != null) {
      throw new ParameterException(spec.commandLine(), "must be given only one of: --rule, --key");
    }
    return rule != null
        ? DeferredScope.of(rule)
        : key != null ? DeferredScope.of(key) : DeferredScope.ALL;
  }

  /** The selected scope; one of the options must be given. */
  DeferredScope requiredScope(CommandSpec spec) {
    DeferredScope scope = scope(spec);
    if (scope.isAll()) {
      throw new ParameterException(spec.commandLine(), "must be given: --rule, or --key");
    }
    return scope;
  }

  /** Query parameters for a scope. */
  static Map<String, String> parameters(DeferredScope scope) {
    Map<String, String> parameters = new HashMap<>();
    if (!scope.isAll()) {
      parameters.put(scope.isKey() ? DeferredPaths.KEY : DeferredPaths.RULE, scope.text());
    }
    return parameters;
  }
}
