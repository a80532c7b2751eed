package io.quotaenforcer.cli;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashedText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for explaining a request. */
final class RequestOptions {
  private static final int MAX_PARTITIONS = 10_000;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "For a request: rule files instead of the published rules; needs no broker.")
  private List<Path> files = List.of();

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      description = "For a request: only the rules of one domain.")
  private @Nullable String domain;

  @Option(
      names = "--all",
      description = "For a request: also the rules that do not match, and why not.")
  private boolean all;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "For a request: partitions of the topics. Default: what the topics were created with,"
              + " for published rules; 16 for files.")
  private @Nullable Integer partitions;

  List<Path> files() {
    return files;
  }

  Optional<String> domain() {
    return Optional.ofNullable(domain);
  }

  boolean all() {
    return all;
  }

  int partitions(CommandSpec spec, int published) {
    if (partitions != null && (partitions < 1 || partitions > MAX_PARTITIONS)) {
      throw new ParameterException(
          spec.commandLine(),
          "must be from 1 to " + MAX_PARTITIONS + ": --partitions=" + partitions);
    }
    return partitions == null ? published : partitions;
  }

  /** Refuses options that concern only requests. */
  void checkUnused(CommandSpec spec) {
    if (!files.isEmpty() || domain != null || all || partitions != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--rules, --domain, --all and --partitions are for a request, which has attributes:"
              + " quota rules explain user=42 --all");
    }
  }

  /** The request that has these attributes, each written {@code name=value}. */
  static Request request(CommandSpec spec, List<String> attributes) {
    Map<String, String> byName = new LinkedHashMap<>();
    List<String> twice = new ArrayList<>();
    for (String attribute : attributes) {
      int equals = attribute.indexOf('=');
      if (equals < 1) {
        throw new ParameterException(
            spec.commandLine(),
            "must be attributes (user=42), or rules and rule files, not both: " + attribute);
      }
      String name = attribute.substring(0, equals);
      if (byName.put(name, attribute.substring(equals + 1)) != null) {
        twice.add(name);
      }
    }
    if (!twice.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "must be given once: attribute " + String.join(", ", twice));
    }
    // Whoever may ask this may name a quota key by its hash, too.
    return byName.values().stream().anyMatch(HashedText::isOne)
        ? Request.received(byName, 1)
        : new Request(byName, 1);
  }
}
