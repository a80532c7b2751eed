package io.quotaenforcer.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The project's classes with some of them compiled from changed sources, all loaded anew, apart
 * from those of the test.
 */
public final class ChangedClasses extends URLClassLoader {
  private ChangedClasses(List<URL> places) {
    super(places.toArray(URL[]::new), ChangedClasses.class.getClassLoader());
  }

  /**
   * Loads classes from these places.
   *
   * @param places the first one that has a class is where it is loaded from
   */
  public static ChangedClasses at(List<URL> places) {
    return new ChangedClasses(places);
  }

  /**
   * Compiles sources; fails with what the compiler says.
   *
   * @param into a folder, which is made if it is not there
   */
  public static void compile(List<Path> sources, String classPath, Path into) throws IOException {
    Files.createDirectories(into);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler).as("a JDK runs the tests").isNotNull();
    StringWriter out = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", classPath, "-d", into.toString());
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      boolean compiles =
          compiler
              .getTask(
                  out, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(compiles).as("%s", out).isTrue();
    }
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
}
