package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.ChangedClasses;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.SchemaParser;
import org.apache.avro.compiler.specific.SpecificCompiler;
import org.apache.avro.generic.GenericData.StringType;

/**
 * The project with a change in its main sources and schemas, as {@code edits.txt} of a folder of
 * resources tells it. It is compiled as far as the change reaches, apart from the classes of the
 * test.
 */
final class ChangedProject {
  private static final Path RESOURCES = Path.of("src/test/resources");
  private static final Path SCHEMAS = Path.of("schemas/src/main/avro");
  private static final Path TEMPLATES = MarkdownFile.ROOT.resolve("schemas/src/main/templates");

  /** The texts of the files that the change touches, by their paths, in its order. */
  private final Map<Path, String> files = new LinkedHashMap<>();

  ChangedProject(String folder) throws IOException {
    Path edits = RESOURCES.resolve(folder).resolve("edits.txt");
    List<String> lines = Files.readAllLines(edits);
    int at = lines.indexOf("") + 1;
    while (at < lines.size()) {
      Path file = Path.of(lines.get(at));
      int end = at + 1;
      while (end < lines.size() && !lines.get(end).isEmpty()) {
        end++;
      }
      List<String> ofFile = lines.subList(at + 1, end);
      Path text =
          ofFile.isEmpty()
              ? edits.resolveSibling(file.getFileName())
              : MarkdownFile.ROOT.resolve(file);
      files.put(file, edited(Files.readString(text), ofFile));
      at = end + 1;
    }
  }

  /** The paths of the files that the change touches, in its order. */
  List<String> files() {
    return files.keySet().stream().map(Path::toString).toList();
  }

  /**
   * The classes of the project with the change.
   *
   * @param alsoCompiled sources which the change might break: their texts, without comments
   * @param folder to write them to
   */
  ClassLoader classes(Predicate<String> alsoCompiled, Path folder) throws IOException {
    Path sources = folder.resolve("sources");
    List<Path> java = new ArrayList<>();
    for (Path file : SourceFiles.all()) {
      Path path = MarkdownFile.ROOT.relativize(file);
      if (!files.containsKey(path)
          && path.toString().matches("(?!benchmarks)[^/]+/src/main/java/.*\\.java")
          && alsoCompiled.test(Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", ""))) {
        java.add(file);
      }
    }
    for (Map.Entry<Path, String> file : files.entrySet()) {
      Path copy = sources.resolve(file.getKey());
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, file.getValue());
      if (copy.toString().endsWith(".java")) {
        java.add(copy);
      }
    }
    if (files.keySet().stream().anyMatch(path -> path.startsWith(SCHEMAS))) {
      java.addAll(records(sources));
    }
    Path classes = folder.resolve("classes");
    String classPath = System.getProperty("java.class.path");
    ChangedClasses.compile(java, classPath, classes);
    Stream<Path> others = Stream.of(classPath.split(File.pathSeparator)).map(Path::of);
    // What was changed goes before what was not.
    return ChangedClasses.at(
        Stream.concat(Stream.of(classes), others).map(ChangedProject::url).toList());
  }

  private static String edited(String text, List<String> lines) {
    String edited = text;
    int at = 0;
    while (at < lines.size()) {
      int goes = at;
      while (at < lines.size() && lines.get(at).startsWith("-")) {
        at++;
      }
      int comes = at;
      while (at < lines.size() && lines.get(at).startsWith("+")) {
        at++;
      }
      assertThat(at).as("each edit goes and comes: %s", lines).isGreaterThan(comes);
      String from = text(lines.subList(goes, comes));
      assertThat(edited.split(Pattern.quote(from), -1)).as("is there once: %s", from).hasSize(2);
      edited = edited.replace(from, text(lines.subList(comes, at)));
    }
    return edited;
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines.stream().map(line -> line.substring(1)).toList());
  }

  /** The sources of all records, as the build makes them of the schemas. */
  private List<Path> records(Path sources) throws IOException {
    SchemaParser parser = new SchemaParser();
    for (Path schema : list(MarkdownFile.ROOT.resolve(SCHEMAS))) {
      String changed = files.get(MarkdownFile.ROOT.relativize(schema));
      parser.parse(changed == null ? Files.readString(schema) : changed);
    }
    SpecificCompiler compiler = new SpecificCompiler(parser.getParsedNamedSchemas());
    compiler.setStringType(StringType.String);
    compiler.setTemplateDir(TEMPLATES + "/");
    Path records = Files.createDirectories(sources.resolve("records"));
    compiler.compileToDestination(null, records.toFile());
    try (Stream<Path> walk = Files.walk(records)) {
      return walk.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static URL url(Path place) {
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
