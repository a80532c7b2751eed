package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.ChangedClasses;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.simulation.Mutant.Patch;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The project's classes with a mutant among them, apart from those of the test. */
final class MutantClasses implements AutoCloseable {
  private static final List<Path> SOURCES =
      Stream.of("quota-core", "quota-ledger")
          .map(module -> Path.of("..", module, "src/main/java/io/quotaenforcer/core"))
          .toList();

  private final ChangedClasses classes;

  private MutantClasses(ChangedClasses classes) {
    this.classes = classes;
  }

  /** Compiles the mutant into a folder. */
  static MutantClasses of(List<Patch> patches, Path folder) throws IOException, URISyntaxException {
    Path changed = folder.resolve("classes");
    String classPath =
        String.join(
            File.pathSeparator,
            file(Ledger.class),
            file(AllotmentBook.class),
            file(NullMarked.class));
    ChangedClasses.compile(patched(patches, folder.resolve("sources")), classPath, changed);
    return new MutantClasses(
        ChangedClasses.at(
            List.of(
                changed.toUri().toURL(),
                place(Ledger.class),
                place(AllotmentBook.class),
                place(SeedRun.class),
                place(MutantProbe.class))));
  }

  @SuppressWarnings("unchecked")
  Function<String, String> probe() throws ReflectiveOperationException {
    Class<?> type = classes.loadClass(MutantProbe.class.getName());
    assertThat(type).isNotSameAs(MutantProbe.class);
    return (Function<String, String>) type.getDeclaredConstructor().newInstance();
  }

  @Override
  public void close() throws IOException {
    classes.close();
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

  /** The file of a type of the core, in whichever module. */
  private static Path source(String type) {
    return SOURCES.stream()
        .map(sources -> sources.resolve(type + ".java"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("must be a type of the core: " + type));
  }

  private static String file(Class<?> type) throws URISyntaxException {
    return Path.of(place(type).toURI()).toString();
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
