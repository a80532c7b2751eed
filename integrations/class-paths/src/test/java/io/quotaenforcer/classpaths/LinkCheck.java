package io.quotaenforcer.classpaths;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.ConstructorCallTarget;
import com.tngtech.archunit.core.domain.AccessTarget.FieldAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Looks on a class path for everything that the client's class files refer to, also where a run of
 * the service never gets to.
 */
final class LinkCheck {
  private static final List<String> OF_OTHERS = List.of("org.apache.kafka.", "org.slf4j.");

  private final ClassLoader classPath;
  private final Set<String> missing = new TreeSet<>();

  private LinkCheck(ClassLoader classPath) {
    this.classPath = classPath;
  }

  /** Classes, methods and fields of Kafka's clients and of SLF4J that are not there as called. */
  static Set<String> missing(List<Path> jars) {
    List<Path> own =
        jars.stream().filter(jar -> jar.getFileName().toString().startsWith("quota-")).toList();
    if (own.size() < 3) {
      throw new IllegalArgumentException("must have the client, schemas and core: jars=" + jars);
    }
    try (URLClassLoader classPath =
        new URLClassLoader(
            jars.stream().map(LinkCheck::url).toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader())) {
      LinkCheck check = new LinkCheck(classPath);
      check.look(new ClassFileImporter().importJars(own.stream().map(LinkCheck::jar).toList()));
      return check.missing;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void look(JavaClasses classes) {
    int found = 0;
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String name = dependency.getTargetClass().getBaseComponentType().getName();
        if (isOfOthers(name)) {
          find(name);
        }
      }
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        if (isOfOthers(access.getTargetOwner().getName())) {
          found++;
          look(access.getTarget());
        }
      }
    }
    if (found == 0) {
      throw new IllegalArgumentException("must refer to Kafka's clients: classes=" + classes);
    }
  }

  private void look(AccessTarget target) {
    Class<?> owner = find(target.getOwner().getName());
    if (owner != null && !isThere(owner, target)) {
      missing.add(target.getFullName());
    }
  }

  private static boolean isThere(Class<?> owner, AccessTarget target) {
    if (target instanceof FieldAccessTarget field) {
      return withSuperTypes(owner)
          .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
          .anyMatch(
              it ->
                  it.getName().equals(field.getName())
                      && it.getType().getName().equals(field.getRawType().getName()));
    }
    CodeUnitAccessTarget called = (CodeUnitAccessTarget) target;
    if (called instanceof ConstructorCallTarget) {
      return Arrays.stream(owner.getDeclaredConstructors()).anyMatch(it -> takes(it, called));
    }
    String returned = called.getRawReturnType().getName();
    return withSuperTypes(owner)
        .<Method>flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .anyMatch(
            it ->
                it.getName().equals(called.getName())
                    && it.getReturnType().getName().equals(returned)
                    && takes(it, called));
  }

  private static boolean takes(Executable found, CodeUnitAccessTarget called) {
    return Arrays.stream(found.getParameterTypes())
        .map(Class::getName)
        .toList()
        .equals(called.getRawParameterTypes().stream().map(JavaClass::getName).toList());
  }

  private static Stream<Class<?>> withSuperTypes(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    collect(type, all);
    return all.stream();
  }

  private static void collect(Class<?> type, Set<Class<?>> into) {
    if (type != null && into.add(type)) {
      collect(type.getSuperclass(), into);
      for (Class<?> each : type.getInterfaces()) {
        collect(each, into);
      }
      if (type.isInterface()) {
        into.add(Object.class);
      }
    }
  }

  private Class<?> find(String name) {
    try {
      return Class.forName(name, false, classPath);
    } catch (ClassNotFoundException | LinkageError e) {
      missing.add(name);
      return null;
    }
  }

  private static boolean isOfOthers(String name) {
    return OF_OTHERS.stream().anyMatch(name::startsWith);
  }

  private static JarFile jar(Path path) {
    try {
      return new JarFile(path.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("must be a file: path=" + path, e);
    }
  }
}
