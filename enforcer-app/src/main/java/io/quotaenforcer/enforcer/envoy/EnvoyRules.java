package io.quotaenforcer.enforcer.envoy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.rules.Fields;
import io.quotaenforcer.enforcer.rules.Problems;
import io.quotaenforcer.enforcer.rules.RuleFile;
import io.quotaenforcer.enforcer.rules.RuleFileLoader;
import io.quotaenforcer.enforcer.rules.RuleProblem;
import io.quotaenforcer.enforcer.rules.Scalars;
import io.quotaenforcer.enforcer.rules.YamlDocument;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * What became of a configuration of Envoy's ratelimit service, whose format the README of
 * https://github.com/envoyproxy/ratelimit defines.
 */
public sealed interface EnvoyRules {
  /** Most overrides that a rule may have. */
  int MAX_OVERRIDES = 10_000;

  /**
   * A rule file.
   *
   * @param yaml valid
   * @param warnings what is not as it was, in the order of the file
   */
  record Imported(String yaml, List<RuleProblem> warnings) implements EnvoyRules {
    public Imported {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A configuration that cannot be read.
   *
   * @param problems at least one, in the order of the file
   */
  record Refused(List<RuleProblem> problems) implements EnvoyRules {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** Reads a file from disk. */
  static EnvoyRules load(Path path) {
    return RuleFileLoader.load(path, EnvoyRules::parse, problem -> new Refused(List.of(problem)));
  }

  /**
   * Reads a configuration.
   *
   * @param fileName stands in problems and warnings; nothing is opened
   */
  static EnvoyRules parse(String fileName, String text) {
    Problems errors = new Problems(fileName);
    Problems warnings = new Problems(fileName);
    Node root = YamlDocument.compose(text, "descriptors", errors);
    Fields fields =
        root == null
            ? null
            : Fields.of(
                root,
                "a configuration must be a mapping with \"domain\" and \"descriptors\"",
                errors);
    if (fields == null) {
      return new Refused(errors.inOrder());
    }
    fields.only(List.of("domain", "descriptors"));
    String domain = domain(fields, errors, warnings);
    List<Descriptor> descriptors = new DescriptorReader(errors, warnings).read(fields);
    if (domain == null || errors.count() > 0) {
      return new Refused(errors.inOrder());
    }
    List<RuleDraft> drafts = RuleDrafts.of(descriptors, warnings);
    new Replacements(warnings).apply(drafts);
    drafts.forEach(draft -> check(draft, errors));
    if (errors.count() > 0) {
      return new Refused(errors.inOrder());
    }
    String yaml = RuleFileText.of(domain, drafts, warnings.inOrder());
    if (RuleFile.parse("the imported rules", yaml) instanceof RuleFile.Invalid invalid) {
      throw new IllegalStateException("must be a valid rule file: " + invalid.problems().get(0));
    }
    return new Imported(yaml, warnings.inOrder());
  }

  private static @Nullable String domain(Fields fields, Problems errors, Problems warnings) {
    Node node = fields.required("domain", "begin with domain: NAME");
    String domain = node == null ? null : new Scalars(errors).text(node, "domain");
    if (node == null || domain == null) {
      return null;
    }
    if (domain.isEmpty()) {
      errors.at(node, "domain must not be empty; name one");
    }
    if (RuleId.isName(domain)) {
      return domain;
    }
    String name = RuleIds.name(domain, "imported");
    warnings.at(
        node,
        "domain %s has characters or a length that a domain here cannot have; it is %s"
            .formatted(Problems.quote(domain), Problems.quote(name)));
    return name;
  }

  private static void check(RuleDraft draft, Problems errors) {
    if (draft.isWritten() && draft.overrides().size() > MAX_OVERRIDES) {
      errors.at(
          draft.descriptor().place(),
          "more than %d values beside this descriptor; a rule has at most as many overrides"
              .formatted(MAX_OVERRIDES));
    }
  }
}
