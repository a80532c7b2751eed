package io.quotaenforcer.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A pom of this build, as it is written.
 *
 * @param file where it is
 * @param root its outermost element
 */
record Pom(Path file, Element root) {
  static Pom read(Path file) {
    try {
      return new Pom(
          file,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  static Pom ofBuild() {
    return read(MarkdownFile.ROOT.resolve("pom.xml"));
  }

  /** Artifacts of this build that go to a repository: jars, not parents. */
  static List<Pom> published() {
    List<Pom> all = new ArrayList<>();
    collect(ofBuild(), all);
    return all.stream().filter(pom -> pom.isJar() && pom.isDeployed()).toList();
  }

  private static void collect(Pom pom, List<Pom> all) {
    all.add(pom);
    for (String module : pom.texts("modules", "module")) {
      collect(read(pom.file.resolveSibling(module).resolve("pom.xml")), all);
    }
  }

  String artifact() {
    return text("artifactId").orElseThrow();
  }

  /** What stands there, by itself or by a parent. */
  Optional<String> inherited(String... path) {
    Optional<String> own = text(path);
    return own.isPresent() ? own : parent().flatMap(parent -> parent.inherited(path));
  }

  /** What stands there by itself. */
  Optional<String> text(String... path) {
    return texts(path).stream().findFirst();
  }

  List<String> texts(String... path) {
    List<Element> at = List.of(root);
    for (String name : path) {
      List<Element> next = new ArrayList<>();
      for (Element each : at) {
        for (Node child = each.getFirstChild(); child != null; child = child.getNextSibling()) {
          if (child instanceof Element element && element.getTagName().equals(name)) {
            next.add(element);
          }
        }
      }
      at = next;
    }
    return at.stream().map(element -> element.getTextContent().strip()).toList();
  }

  /** The jar that a build makes of it. */
  Path jar() {
    String version = inherited("version").orElseThrow();
    return file.resolveSibling("target").resolve(artifact() + "-" + version + ".jar");
  }

  private boolean isJar() {
    return text("packaging").orElse("jar").equals("jar");
  }

  private boolean isDeployed() {
    return !inherited("properties", "maven.deploy.skip").orElse("").equals("true");
  }

  private Optional<Pom> parent() {
    return texts("parent").isEmpty()
        ? Optional.empty()
        : Optional.of(
            read(
                file.resolveSibling(text("parent", "relativePath").orElse("../pom.xml"))
                    .normalize()));
  }

  @Override
  public String toString() {
    return artifact();
  }
}
