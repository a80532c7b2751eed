package io.quotaenforcer.testkit;

import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Kafka and an enforcer, each a process with a class path that is not the test's. For one thread.
 */
public final class Site implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(90);

  private final Path folder;
  private final String classPath;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable ChildJvm kafka;
  private @Nullable ChildJvm enforcer;
  private String enforcerAddress = "";
  private int commands;

  private Site(Path folder) throws IOException {
    this.folder = folder;
    this.classPath = classPath();
    this.port = freePort();
  }

  /**
   * Starts both, and returns when the enforcer serves.
   *
   * @param folder for their data
   * @param rules the text of a rule file
   */
  public static Site start(Path folder, String rules) throws IOException {
    Site site = new Site(folder);
    try {
      site.startKafka();
      site.quota("topics", "create", "--partitions=2");
      site.apply(rules);
      site.startEnforcer();
      return site;
    } catch (IOException | RuntimeException | Error e) {
      site.close();
      throw e;
    }
  }

  /** Address for clients: {@code 127.0.0.1:port}; the same after {@link #startKafka}. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** Starts Kafka with what it kept, and returns when it serves. */
  public void startKafka() throws IOException {
    kafka =
        jvm(
            "kafka",
            SiteMain.class.getName(),
            Integer.toString(port),
            folder.resolve("kafka").toString());
    kafka.awaitLine(SiteMain.READY, START_TIMEOUT);
    commands = 0;
  }

  /** Kills Kafka with SIGKILL. */
  public void killKafka() {
    if (kafka != null) {
      kafka.close();
    }
  }

  /** Publishes the rules of a file. */
  public void apply(String rules) throws IOException {
    Path file = Files.writeString(folder.resolve("rules.yaml"), rules);
    quota("rules", "apply", file.toString());
  }

  /** Runs a {@code quota} command, which must end well. */
  public void quota(String... arguments) throws IOException {
    ChildJvm running = Objects.requireNonNull(kafka);
    running.send(String.join("\t", arguments));
    commands++;
    String answer = running.awaitLine(commands, SiteMain.ANSWER, COMMAND_TIMEOUT);
    if (!answer.equals(SiteMain.DONE)) {
      throw new IllegalStateException(String.join(" ", arguments) + ": " + answer);
    }
  }

  /**
   * The enforcer's answer to a question.
   *
   * @param path such as {@code /usage/shop/orders?user=42}
   */
  public String ask(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + enforcerAddress + path))
            .timeout(COMMAND_TIMEOUT)
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private void startEnforcer() throws IOException {
    Path config = folder.resolve("enforcer.properties");
    Files.writeString(
        config,
        "bootstrap.servers=%s\nstate.dir=%s\nhttp.port=0\n"
            .formatted(bootstrapServers(), folder.resolve("state")));
    ChildJvm started =
        jvm("enforcer", "io.quotaenforcer.enforcer.Main", "--config", config.toString());
    enforcer = started;
    String rest = started.awaitLine("enforcing; http://", START_TIMEOUT);
    enforcerAddress = rest.substring(0, rest.indexOf('/'));
    Wait.until("the enforcer to be ready", START_TIMEOUT, this::isReady);
  }

  private boolean isReady() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + enforcerAddress + "/health/ready")).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

  private ChildJvm jvm(String name, String main, String... arguments) throws IOException {
    return ChildJvm.start(
        name,
        List.of(),
        folder.resolve(name + "-tmp"),
        new ChildJvm.Program(classPath, main),
        arguments);
  }

  /** The class path of the testkit itself, and of all that it depends on. */
  private static String classPath() throws IOException {
    try (InputStream in = Site.class.getResourceAsStream("class-path.txt")) {
      if (in == null) {
        throw new IllegalStateException("must be built by Maven: class-path.txt");
      }
      Path own =
          Path.of(
              URI.create(
                  Site.class.getProtectionDomain().getCodeSource().getLocation().toString()));
      return own + ":" + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The output of both. */
  @Override
  public String toString() {
    return kafka + "\n" + enforcer;
  }

  /** Kills both. */
  @Override
  public void close() {
    if (enforcer != null) {
      enforcer.close();
    }
    killKafka();
  }
}
