package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.rules.Fields;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.RuleFileLoader;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.Scalars;
import io.quotaenforcer.rules.YamlDocument;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * One file of a configuration.
 *
 * @param name of the file
 * @param content empty if there are errors
 * @param warnings differences from the original
 */
record EnvoyFile(
    String name, Optional<Content> content, List<RuleProblem> errors, List<RuleProblem> warnings) {

  /**
   * Contents of the file.
   *
   * @param domain as written
   * @param place of the domain's name
   */
  record Content(String domain, Node place, List<Descriptor> descriptors) {}

  static EnvoyFile load(Path path) {
    return RuleFileLoader.load(
        path,
        EnvoyFile::parse,
        problem -> new EnvoyFile(path.toString(), Optional.empty(), List.of(problem), List.of()));
  }

  static EnvoyFile parse(String name, String text) {
    Problems errors = new Problems(name);
    Problems warnings = new Problems(name);
    Optional<Content> content = Optional.ofNullable(read(text, errors, warnings));
    return new EnvoyFile(
        name,
        errors.count() > 0 ? Optional.empty() : content,
        errors.inOrder(),
        warnings.inOrder());
  }

  private static @Nullable Content read(String text, Problems errors, Problems warnings) {
    Node root = YamlDocument.compose(text, "descriptors", errors);
    Fields fields =
        root == null
            ? null
            : Fields.of(
                root,
                "a configuration must be a mapping with \"domain\" and \"descriptors\"",
                errors);
    if (fields == null) {
      return null;
    }
    fields.only(List.of("domain", "descriptors"));
    Node place = fields.required("domain", "begin with domain: NAME");
    String domain = place == null ? null : new Scalars(errors).text(place, "domain");
    if (place != null && domain != null && domain.isEmpty()) {
      errors.at(place, "domain must not be empty; name one");
    }
    List<Descriptor> descriptors = new DescriptorReader(errors, warnings).read(fields);
    return place == null || domain == null ? null : new Content(domain, place, descriptors);
  }
}
