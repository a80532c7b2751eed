package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.RuleProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Outcome of reading a configuration of Envoy's ratelimit service, whose format the README of
 * https://github.com/envoyproxy/ratelimit defines.
 */
public sealed interface EnvoyRules {
  /** Most overrides of a rule. */
  int MAX_OVERRIDES = 10_000;

  /**
   * Rule files.
   *
   * @param domains at least one, in the order of the configuration
   * @param warnings differences from the original, in the order of the configuration
   */
  record Imported(List<Domain> domains, List<RuleProblem> warnings) implements EnvoyRules {
    public Imported {
      domains = List.copyOf(domains);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * The rule file of one domain.
   *
   * @param yaml valid
   */
  record Domain(String name, String yaml) {}

  /**
   * A configuration that is unreadable, or has a limit that a rule file cannot express.
   *
   * @param problems at least one, in the order of the configuration
   */
  record Refused(List<RuleProblem> problems) implements EnvoyRules {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** Reads files from disk; files of the same domain are combined. */
  static EnvoyRules load(List<Path> paths) {
    return of(paths.stream().map(EnvoyFile::load).toList());
  }

  /**
   * Like {@link #load}, for a gateway that looks descriptors up: each limit is a rule of its own,
   * whatever the others are.
   */
  static EnvoyRules loadForGateway(List<Path> paths) {
    return of(paths.stream().map(EnvoyFile::load).toList(), true);
  }

  /**
   * Reads the only file of a configuration.
   *
   * @param fileName for problems and warnings; nothing is opened
   */
  static EnvoyRules parse(String fileName, String text) {
    return of(List.of(EnvoyFile.parse(fileName, text)));
  }

  private static EnvoyRules of(List<EnvoyFile> files) {
    return of(files, false);
  }

  /**
   * Rules for requests that have the attributes, or for a gateway that looks descriptors up.
   *
   * @param forGateway whether each limit is a rule of its own, whatever the others are
   */
  static EnvoyRules of(List<EnvoyFile> files, boolean forGateway) {
    Problems errors = new Problems(files.stream().map(EnvoyFile::name).toList());
    Map<String, List<EnvoyFile>> byDomain = new LinkedHashMap<>();
    for (EnvoyFile file : files) {
      errors.addAll(file.errors());
      file.content()
          .ifPresent(
              content ->
                  byDomain.computeIfAbsent(content.domain(), d -> new ArrayList<>()).add(file));
    }
    List<Domain> domains = new ArrayList<>();
    List<RuleProblem> warnings = new ArrayList<>();
    Map<String, EnvoyFile.Content> names = new LinkedHashMap<>();
    byDomain.forEach(
        (domain, ofDomain) -> {
          EnvoyDomain one = new EnvoyDomain(ofDomain);
          EnvoyFile.Content content = ofDomain.get(0).content().orElseThrow();
          EnvoyFile.Content other = names.putIfAbsent(one.name(), content);
          if (other != null) {
            errors.at(
                content.place(),
                "domain %s would be named %s, as %s is; rename one of them"
                    .formatted(
                        Problems.quote(domain),
                        Problems.quote(one.name()),
                        Problems.quote(other.domain())));
          }
          EnvoyRules rules = one.toRules(forGateway);
          if (rules instanceof Refused refused) {
            errors.addAll(refused.problems());
          } else if (rules instanceof Imported imported) {
            domains.addAll(imported.domains());
            warnings.addAll(imported.warnings());
          }
        });
    return errors.count() > 0 ? new Refused(errors.inOrder()) : new Imported(domains, warnings);
  }
}
