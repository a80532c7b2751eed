package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian package that {@code mvn package} makes, unpacked and run where it is not installed.
 */
@Timeout(540)
class DebIT {
  /** Most of it is RocksDB, with native code for every system. */
  private static final long MOST_BYTES = 180_000_000;

  /** No program is on the path: the scripts find those of every Debian by themselves. */
  private static final Map<String, String> EMPTY_PATH = Map.of("PATH", "");

  @TempDir static Path folder;

  private static Path deb;
  private static Path root;

  @BeforeAll
  static void unpack() throws Exception {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "dpkg-deb")));
    if ("true".equals(System.getenv("CI"))) {
      assertThat(isThere).as("dpkg-deb must be there, as CI=true").isTrue();
    }
    assumeThat(isThere).as("dpkg-deb is not here: the package is not unpacked").isTrue();
    deb = Installed.made(Path.of("../quota-lab/target"), "quota-enforcer_[0-9.]+_all\\.deb");
    root = folder.resolve("root");
    dpkg("--extract", deb.toString(), root.toString());
    dpkg("--control", deb.toString(), folder.resolve("control").toString());
  }

  @Test
  void programs_withAnEmptyPath_run() throws Exception {
    Path settings = root.resolve("etc/quota-enforcer/enforcer.properties");
    try (Installed programs = new Installed(folder, EMPTY_PATH);
        EmbeddedBroker broker = EmbeddedBroker.start()) {
      Path quota = root.resolve("usr/share/quota-enforcer/bin/quota");
      assertThat(programs.output(quota, "version")).startsWith("quota 0.");
      String server = "--bootstrap-server=" + broker.bootstrapServers();
      programs.output(quota, "topics", "create", "--partitions=2", server);
      Path here =
          Files.writeString(
              folder.resolve("enforcer.properties"),
              Files.readString(settings)
                  .replace("127.0.0.1:9092", broker.bootstrapServers())
                  .replace("http.port=8089", "http.port=0")
                  .replace("=/var", "=" + root.resolve("var")));

      Path log = folder.resolve("enforcer.log");
      Path enforcer = root.resolve("usr/share/quota-enforcer/bin/enforcer");
      Process started = programs.start(log, enforcer, "--config", here.toString());
      programs.awaitReady(log, started);
      started.destroy();
      assertThat(started.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(log)).doesNotContain("ERROR", "WARNING: ");
      assertThat(root.resolve("var/lib/quota-enforcer")).isNotEmptyDirectory();
    }
  }

  @Test
  void files_areWhereDebianHasThem() throws IOException {
    assertThat(Files.readSymbolicLink(root.resolve("usr/bin/quota")))
        .isEqualTo(Path.of("/usr/share/quota-enforcer/bin/quota"));
    assertThat(
            List.of(
                "usr/share/bash-completion/completions/quota",
                "usr/lib/systemd/system/quota-enforcer.service",
                "usr/lib/systemd/system/quota-enforcer.service.d/debian.conf",
                "usr/lib/systemd/system/quota-gateway.service",
                "usr/lib/systemd/system/quota-gateway.service.d/debian.conf",
                "usr/share/doc/quota-enforcer/NOTICE",
                "usr/share/doc/quota-enforcer/copyright"))
        .allSatisfy(file -> assertThat(root.resolve(file)).isNotEmptyFile());
    // Programs that the units' additions start are there.
    for (String unit : List.of("quota-enforcer", "quota-gateway")) {
      Path addition = root.resolve("usr/lib/systemd/system/" + unit + ".service.d/debian.conf");
      String start =
          Files.readString(addition)
              .lines()
              .filter(line -> line.startsWith("ExecStart=/"))
              .findFirst()
              .orElseThrow();
      Stream.of(start.substring("ExecStart=".length()).split(" "))
          .filter(word -> word.startsWith("/"))
          .forEach(file -> assertThat(root.resolve(file.substring(1))).exists());
    }
  }

  @Test
  void settings_areConffilesThatOthersCannotRead() throws IOException {
    Path control = folder.resolve("control");
    List<String> conffiles = Files.readAllLines(control.resolve("conffiles"));
    try (Stream<Path> files = Files.walk(root.resolve("etc"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> "/" + root.relativize(file)))
          .containsExactlyInAnyOrderElementsOf(conffiles);
    }
    for (String file : conffiles) {
      assertThat(Files.getPosixFilePermissions(root.resolve(file.substring(1))))
          .doesNotContain(PosixFilePermission.OTHERS_READ);
    }
    for (String script : List.of("postinst", "prerm", "postrm")) {
      assertThat(control.resolve(script)).isExecutable();
      Process check = new ProcessBuilder("sh", "-n", control.resolve(script).toString()).start();
      assertThat(exitValue(check)).as(script).isZero();
    }
  }

  @Test
  void package_needsJava17_andIsNotTooLarge() throws Exception {
    assertThat(Files.readString(folder.resolve("control/control")))
        .contains("Package: quota-enforcer", "Version: 0.", "2:1.17", "java17-runtime-headless");
    assertThat(Files.size(deb)).isLessThan(MOST_BYTES);
  }

  private static int exitValue(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void dpkg(String... arguments) throws Exception {
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of("dpkg-deb"), Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
