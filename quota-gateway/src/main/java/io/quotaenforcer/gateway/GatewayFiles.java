package io.quotaenforcer.gateway;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.gateway.mapping.AttributeMapping;
import io.quotaenforcer.gateway.mapping.MappingFile;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a gateway is told in files. */
final class GatewayFiles {
  private static final Logger log = LoggerFactory.getLogger(GatewayFiles.class);

  private GatewayFiles() {}

  /**
   * The rules of a gateway that counts alone.
   *
   * @throws GatewayException with all problems of the file
   */
  static List<Rule> rules(GatewayConfig.RuleSource.OfFile source, GatewayLimits limits) {
    List<Rule> rules = new ArrayList<>(limits.rules());
    source.file().ifPresent(file -> rules.addAll(rules(file)));
    return rules;
  }

  private static List<Rule> rules(Path file) {
    RuleFile read = RuleFileLoader.load(file);
    if (read instanceof RuleFile.Invalid invalid) {
      throw wrong(invalid.problems());
    }
    return ((RuleFile.Valid) read).rules();
  }

  /**
   * Which attributes a checked request has.
   *
   * @throws GatewayException with all problems of the file
   */
  static AttributeMapping mapping(Path file) {
    MappingFile read = MappingFile.load(file);
    if (read instanceof MappingFile.Invalid invalid) {
      throw wrong(invalid.problems());
    }
    return ((MappingFile.Valid) read).mapping();
  }

  /**
   * A configuration of Envoy's service; what behaves differently here is logged.
   *
   * @param path a file, or a folder of them
   * @throws GatewayException with all problems of the files
   */
  static GatewayLimits envoy(Path path) {
    GatewayLimits.Read read = GatewayLimits.load(files(path));
    if (read instanceof GatewayLimits.Read.Refused refused) {
      throw wrong(refused.problems());
    }
    GatewayLimits limits = ((GatewayLimits.Read.Valid) read).limits();
    limits.warnings().forEach(warning -> log.warn("{}", warning));
    return limits;
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      List<Path> yaml =
          files.filter(file -> file.toString().matches(".*\\.ya?ml")).sorted().toList();
      if (yaml.isEmpty()) {
        throw new GatewayException("cannot use envoy.config: no *.yaml or *.yml in " + path);
      }
      return yaml;
    } catch (IOException e) {
      throw new GatewayException("cannot use envoy.config: " + path + ": " + e.getMessage());
    }
  }

  private static GatewayException wrong(List<RuleProblem> problems) {
    return new GatewayException(
        problems.stream().map(RuleProblem::toString).collect(Collectors.joining("\n")));
  }
}
