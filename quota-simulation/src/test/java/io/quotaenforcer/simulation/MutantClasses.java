package io.quotaenforcer.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.simulation.Mutant.Patch;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/** The project's classes with a mutant among them, apart from those of the test. */
final class MutantClasses extends URLClassLoader {
  private static final List<Path> SOURCES =
      Stream.of("quota-core", "quota-ledger")
          .map(module -> Path.of("..", module, "src/main/java/io/quotaenforcer/core"))
          .toList();

  private MutantClasses(URL[] places) {
    super(places, MutantClasses.class.getClassLoader());
  }

  /** Compiles the mutant into a folder. */
  static MutantClasses of(List<Patch> patches, Path folder) throws IOException, URISyntaxException {
    compile(patched(patches, folder.resolve("sources")), folder.resolve("classes"));
    URL[] places = {
      folder.resolve("classes").toUri().toURL(),
      place(Ledger.class),
      place(AllotmentBook.class),
      place(SeedRun.class),
      place(MutantProbe.class)
    };
    return new MutantClasses(places);
  }

  @SuppressWarnings("unchecked")
  Function<String, String> probe() throws ReflectiveOperationException {
    Class<?> type = loadClass(MutantProbe.class.getName());
    assertThat(type).isNotSameAs(MutantProbe.class);
    return (Function<String, String>) type.getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.quotaenforcer.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  private static List<Path> patched(List<Patch> patches, Path folder) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Patch patch : patches) {
      String text = texts.get(patch.type());
      if (text == null) {
        text = Files.readString(source(patch.type()));
      }
      int at = text.indexOf(patch.from());
      assertThat(at).as("text is there: %s", patch).isNotNegative();
      assertThat(text.indexOf(patch.from(), at + 1)).as("is there once: %s", patch).isNegative();
      texts.put(patch.type(), text.replace(patch.from(), patch.to()));
    }
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> each : texts.entrySet()) {
      Path file = folder.resolve(each.getKey() + ".java");
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, each.getValue()));
    }
    return files;
  }

  private static void compile(List<Path> files, Path into) throws IOException, URISyntaxException {
    Files.createDirectories(into);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler).as("a JDK runs the tests").isNotNull();
    StringWriter out = new StringWriter();
    String classPath =
        Path.of(place(Ledger.class).toURI())
            + System.getProperty("path.separator")
            + Path.of(place(AllotmentBook.class).toURI())
            + System.getProperty("path.separator")
            + Path.of(place(NullMarked.class).toURI());
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", classPath, "-d", into.toString());
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      boolean compiles =
          compiler
              .getTask(
                  out, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(compiles).as("%s", out).isTrue();
    }
  }

  /** The file of a type of the core, in whichever module. */
  private static Path source(String type) {
    return SOURCES.stream()
        .map(sources -> sources.resolve(type + ".java"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("must be a type of the core: " + type));
  }

  private static URL place(Class<?> type) throws MalformedURLException {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
