package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A configuration of Envoy's ratelimit service as a gateway uses it: it finds the limit of a
 * descriptor as that service does, and counts by a rule of its own for each limit. Immutable, for
 * any thread.
 */
public final class GatewayLimits {
  private final Map<String, GatewayTree> byDomain;
  private final List<Rule> rules;
  private final List<RuleProblem> warnings;

  private GatewayLimits(
      Map<String, GatewayTree> byDomain, List<Rule> rules, List<RuleProblem> warnings) {
    this.byDomain = Map.copyOf(byDomain);
    this.rules = List.copyOf(rules);
    this.warnings = List.copyOf(warnings);
  }

  /** Without any domain. */
  public static GatewayLimits none() {
    return new GatewayLimits(Map.of(), List.of(), List.of());
  }

  /** A configuration, or why it is refused. */
  public sealed interface Read {
    record Valid(GatewayLimits limits) implements Read {}

    record Refused(List<RuleProblem> problems) implements Read {
      public Refused {
        problems = List.copyOf(problems);
      }
    }
  }

  /** Reads files from disk; files of the same domain are merged. */
  public static Read load(List<Path> paths) {
    return of(paths.stream().map(EnvoyFile::load).toList());
  }

  /**
   * Reads the only file of a configuration.
   *
   * @param fileName for problems; nothing is opened
   */
  public static Read parse(String fileName, String text) {
    return of(List.of(EnvoyFile.parse(fileName, text)));
  }

  private static Read of(List<EnvoyFile> files) {
    EnvoyRules imported = EnvoyRules.of(files, true);
    if (imported instanceof EnvoyRules.Refused refused) {
      return new Read.Refused(refused.problems());
    }
    EnvoyRules.Imported valid = (EnvoyRules.Imported) imported;
    Map<RuleId, Rule> byId = new HashMap<>();
    valid.domains().stream()
        .flatMap(domain -> rules(domain).stream())
        .forEach(rule -> byId.put(rule.id(), rule));
    Map<String, List<Descriptor>> descriptors = new HashMap<>();
    for (EnvoyFile file : files) {
      EnvoyFile.Content content = file.content().orElseThrow();
      descriptors
          .computeIfAbsent(content.domain(), domain -> new ArrayList<>())
          .addAll(content.descriptors());
    }
    Map<String, GatewayTree> trees = new HashMap<>();
    descriptors.forEach(
        (domain, ofDomain) ->
            trees.put(domain, GatewayTree.of(ofDomain, new Limits(EnvoyDomain.named(domain)))));
    return new Read.Valid(new GatewayLimits(trees, List.copyOf(byId.values()), valid.warnings()));
  }

  private static List<Rule> rules(EnvoyRules.Domain domain) {
    return ((RuleFile.Valid) RuleFile.parse(domain.name(), domain.yaml())).rules();
  }

  /** Names limits as the rules are named: both walk through the descriptors in the same order. */
  private static final class Limits implements GatewayTree.Limits {
    private final String domain;
    private final RuleIds ids = new RuleIds();

    Limits(String domain) {
      this.domain = domain;
    }

    @Override
    public Optional<GatewayLimit> of(List<Descriptor> path) {
      Descriptor last = path.get(path.size() - 1);
      return last.limit().map(limit -> limit(path, last, limit));
    }

    private GatewayLimit limit(List<Descriptor> path, Descriptor last, EnvoyLimit limit) {
      Set<String> replaces =
          limit.replaces().stream().map(EnvoyLimit.Replaced::name).collect(Collectors.toSet());
      return new GatewayLimit(
          limit.window().map(window -> counter(path, window)),
          limit.name().filter(name -> !name.isEmpty()),
          replaces,
          last.quotaMode(),
          last.metadata());
    }

    private GatewayLimit.Counter counter(List<Descriptor> path, FixedWindow window) {
      boolean[] isKey = new boolean[path.size()];
      for (int i = 0; i < isKey.length; i++) {
        isKey[i] = path.get(i).countsApart();
      }
      RuleId id = new RuleId(domain, ids.of(GatewayDrafts.attributes(path)));
      return new GatewayLimit.Counter(id, window.permits(), window.periodNanos(), isKey);
    }
  }

  /** Whether descriptors of a domain are looked up here. */
  public boolean knows(String domain) {
    return byDomain.containsKey(domain);
  }

  /**
   * The limit of a descriptor; empty if it has none.
   *
   * @param keys of its entries
   * @param values of its entries
   */
  public Optional<GatewayLimit> find(String domain, List<String> keys, List<String> values) {
    GatewayTree tree = byDomain.get(domain);
    return tree == null ? Optional.empty() : tree.find(keys, values);
  }

  /** The rules that must be in force, one for each limit. */
  public Collection<Rule> rules() {
    return rules;
  }

  /** Their domains. */
  public Set<String> domains() {
    Set<String> domains = new HashSet<>();
    rules.forEach(rule -> domains.add(rule.id().domain()));
    return domains;
  }

  /** Differences from the original, in the order of the configuration. */
  public List<RuleProblem> warnings() {
    return warnings;
  }
}
