package io.quotaenforcer.spring.process;

import io.quotaenforcer.lab.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A service as a process, with the class path that such a service has, on a free port. */
public final class SpringService implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Beginnings of the names of jars that a service with MVC does not have. */
  private static final List<String> NOT_MVC =
      List.of(
          "spring-cloud",
          "spring-webflux",
          "spring-boot-webflux",
          "spring-boot-reactor",
          "spring-boot-starter-webflux",
          "reactor-",
          "reactive-streams",
          "netty-");

  /** The same for a service with WebFlux. */
  private static final List<String> NOT_WEBFLUX =
      List.of(
          "spring-cloud",
          "spring-webmvc",
          "spring-boot-webmvc",
          "spring-boot-starter-web-",
          "spring-boot-starter-webmvc",
          "spring-boot-starter-tomcat",
          "spring-boot-tomcat",
          "tomcat-embed-core",
          "tomcat-embed-websocket",
          "jakarta.servlet-api");

  private final ChildJvm jvm;
  private final int port;

  private SpringService(ChildJvm jvm, int port) {
    this.jvm = jvm;
    this.port = port;
  }

  /** A service on Tomcat. */
  public static SpringService onTomcat(Path folder, Class<?> main, String... arguments)
      throws IOException {
    return start(folder, main, NOT_MVC, "Tomcat started on port ", arguments);
  }

  /** A service on Netty. */
  public static SpringService onNetty(Path folder, Class<?> main, String... arguments)
      throws IOException {
    return start(folder, main, NOT_WEBFLUX, "Netty started on port ", arguments);
  }

  /** A gateway, on Netty and without Actuator. */
  public static SpringService gateway(Path folder, Class<?> main, String... arguments)
      throws IOException {
    List<String> without = new ArrayList<>(NOT_WEBFLUX);
    without.remove("spring-cloud");
    without.addAll(
        List.of("spring-boot-actuator", "spring-boot-starter-actuator", "spring-boot-health"));
    return start(folder, main, without, "Netty started on port ", arguments);
  }

  private static SpringService start(
      Path folder, Class<?> main, List<String> without, String started, String... arguments)
      throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--server.address=127.0.0.1",
                "--logging.pattern.console=%m%n",
                "--spring.main.banner-mode=off"));
    all.addAll(List.of(arguments));
    if (all.stream().noneMatch(argument -> argument.startsWith("--server.port="))) {
      all.add("--server.port=0");
    }
    ChildJvm jvm =
        ChildJvm.start(
            main.getSimpleName(),
            List.of("-Xshare:auto", "-Djava.net.preferIPv4Stack=true"),
            folder,
            new ChildJvm.Program(classPath(without), main.getName()),
            all.toArray(String[]::new));
    try {
      String rest = jvm.awaitLine(started, TIMEOUT);
      return new SpringService(jvm, Integer.parseInt(rest.substring(0, rest.indexOf(' '))));
    } catch (RuntimeException e) {
      jvm.close();
      throw e;
    }
  }

  private static String classPath(List<String> without) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(
            jar -> without.stream().noneMatch(Path.of(jar).getFileName().toString()::startsWith))
        .collect(Collectors.joining(File.pathSeparator));
  }

  public int port() {
    return port;
  }

  /** Its output so far. */
  public String output() {
    return jvm.toString();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
