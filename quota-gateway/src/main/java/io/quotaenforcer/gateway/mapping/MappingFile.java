package io.quotaenforcer.gateway.mapping;

import io.quotaenforcer.http.ClientAddress;
import io.quotaenforcer.rules.Attributes;
import io.quotaenforcer.rules.Fields;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.RuleFileLoader;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.Scalars;
import io.quotaenforcer.rules.YamlDocument;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A mapping as people write it:
 *
 * <pre>{@code
 * client-address: {header: X-Forwarded-For, hops: 1}
 * attributes:
 *   ip: "{client-address}"
 *   user: "{header:X-User}"
 *   api: "{method} {path}"
 * }</pre>
 */
public sealed interface MappingFile {
  /** One without problems. */
  record Valid(AttributeMapping mapping) implements MappingFile {}

  /** One that is refused, with every reason and its place. */
  record Invalid(List<RuleProblem> problems) implements MappingFile {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /** Reads a file; that it cannot be read is a problem of it. */
  static MappingFile load(Path path) {
    return RuleFileLoader.load(path, MappingFile::parse, problem -> new Invalid(List.of(problem)));
  }

  /**
   * Reads a text.
   *
   * @param name of the file, for problems
   */
  static MappingFile parse(String name, String text) {
    Problems problems = new Problems(name);
    AttributeMapping mapping = new Reader(problems).mapping(text);
    return mapping == null || problems.count() > 0
        ? new Invalid(problems.inOrder())
        : new Valid(mapping);
  }

  /** Reads the parts; each is null if it is wrong, which is reported. */
  final class Reader {
    private static final int MOST_HOPS = 32;
    private static final int MOST_ATTRIBUTES = 32;
    private static final String FORM =
        "a mapping must have \"attributes\", such as attributes: {ip: \"{client-address}\"}";

    private final Problems problems;
    private final Scalars scalars;

    private Reader(Problems problems) {
      this.problems = problems;
      this.scalars = new Scalars(problems);
    }

    private @Nullable AttributeMapping mapping(String text) {
      Node root = YamlDocument.compose(text, "attributes", problems);
      Fields fields = root == null ? null : Fields.of(root, FORM, problems);
      if (fields == null) {
        return null;
      }
      fields.only(List.of("client-address", "attributes"));
      ClientAddress address = address(fields.optional("client-address"));
      Node node = fields.required("attributes", "name the attributes that rules match on");
      Fields attributes = node == null ? null : Fields.of(node, FORM, problems);
      Map<String, Template> templates =
          node == null || attributes == null ? Map.of() : templates(node, attributes);
      return address == null ? null : new AttributeMapping(address, templates);
    }

    private Map<String, Template> templates(Node place, Fields attributes) {
      Map<String, Template> templates = new LinkedHashMap<>();
      if (attributes.all().isEmpty() || attributes.all().size() > MOST_ATTRIBUTES) {
        problems.at(place, "attributes must be 1 to " + MOST_ATTRIBUTES);
      }
      attributes
          .all()
          .forEach(
              (name, field) -> {
                Attributes.check(field.key(), name, problems);
                String text = scalars.text(field.value(), name);
                Template template = text == null ? null : template(field.value(), name, text);
                if (template != null) {
                  templates.put(name, template);
                }
              });
      return templates;
    }

    private @Nullable Template template(Node place, String name, String text) {
      try {
        return Template.parse(text);
      } catch (IllegalArgumentException e) {
        problems.at(place, name + " " + e.getMessage());
        return null;
      }
    }

    private @Nullable ClientAddress address(@Nullable Node node) {
      if (node == null) {
        return AttributeMapping.DEFAULT.clientAddress();
      }
      Fields fields =
          Fields.of(
              node,
              "client-address must be a mapping such as {header: X-Forwarded-For, hops: 1}",
              problems);
      if (fields == null) {
        return null;
      }
      fields.only(List.of("header", "hops"));
      Node headerNode = fields.required("header", "X-Forwarded-For or Forwarded");
      Node hopsNode = fields.required("hops", "say how many proxies of your own append to it");
      String header = headerNode == null ? null : scalars.text(headerNode, "header");
      Long hops = hopsNode == null ? null : scalars.number(hopsNode, "hops", 1, MOST_HOPS);
      if (headerNode == null || header == null || hops == null) {
        return null;
      }
      if (header.equalsIgnoreCase("X-Forwarded-For")) {
        return ClientAddress.byForwardedFor(hops.intValue());
      }
      if (header.equalsIgnoreCase("Forwarded")) {
        return ClientAddress.byForwarded(hops.intValue());
      }
      problems.at(
          headerNode,
          "header must be X-Forwarded-For or Forwarded, not "
              + Problems.quote(header)
              + "; have your proxy write one of these");
      return null;
    }
  }
}
