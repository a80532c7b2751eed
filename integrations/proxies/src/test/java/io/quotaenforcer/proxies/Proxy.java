package io.quotaenforcer.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A proxy, run with the sample configuration, whose ports alone are replaced. */
enum Proxy {
  NGINX("nginx", "nginx/nginx.conf", 8000) {
    @Override
    List<String> command(String program, Path folder, Path config) {
      // Started by root, its workers would be nobody, who may not enter the test's folder.
      return List.of(
          program,
          "-p",
          folder + "/",
          "-c",
          config.toString(),
          "-e",
          "stderr",
          "-g",
          "daemon off; user root;");
    }
  },
  CADDY("caddy", "caddy/Caddyfile", 8001) {
    @Override
    List<String> command(String program, Path folder, Path config) {
      return List.of(program, "run", "--adapter", "caddyfile", "--config", config.toString());
    }
  };

  private static final List<String> FOLDERS =
      List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin");

  private final String program;
  private final String sample;
  private final int samplePort;

  Proxy(String program, String sample, int samplePort) {
    this.program = program;
    this.sample = sample;
    this.samplePort = samplePort;
  }

  abstract List<String> command(String program, Path folder, Path config);

  String id() {
    return program;
  }

  /** Skips the test where the program is missing; on CI, fails it. */
  void mustBeThere() {
    Optional<String> found = find();
    if (System.getenv("CI") != null) {
      assertThat(found).as("%s, which CI must have: see .ci/install", program).isPresent();
    }
    assumeTrue(found.isPresent(), program + " is not installed: see .ci/install");
  }

  private Optional<String> find() {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /**
   * Starts it, and returns when it listens.
   *
   * @param gateways ports of two
   * @param changes texts of the sample to replace, besides ports
   */
  Program start(
      Path folder, int port, List<Integer> gateways, int service, Map<String, String> changes)
      throws IOException {
    String text = Files.readString(Path.of(sample));
    text = replaced(text, "127.0.0.1:8080", "127.0.0.1:" + gateways.get(0));
    text = replaced(text, "127.0.0.1:8090", "127.0.0.1:" + gateways.get(1));
    text = replaced(text, "127.0.0.1:9000", "127.0.0.1:" + service);
    text = replaced(text, ":" + samplePort, ":" + port);
    for (Map.Entry<String, String> change : changes.entrySet()) {
      text = replaced(text, change.getKey(), change.getValue());
    }
    Files.createDirectories(folder.resolve("temp"));
    Path config = Files.writeString(folder.resolve("config"), text);
    return Program.start(folder, port, command(find().orElseThrow(), folder, config));
  }

  private static String replaced(String text, String from, String to) {
    assertThat(text).contains(from);
    return text.replace(from, to);
  }

  static Stream<Proxy> all() {
    return Stream.of(values());
  }
}
