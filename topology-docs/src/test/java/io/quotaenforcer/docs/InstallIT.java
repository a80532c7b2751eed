package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types the lines of install.md that need no server, with a folder in place of the root. What needs
 * one, blocks of {@code console}, is not run, as the page says.
 */
@Timeout(540)
class InstallIT {
  private static final MarkdownFile PAGE = MarkdownFile.read("topology-docs/install.md");

  @TempDir Path folder;

  @Test
  void lines_typedOneAfterTheOther_install() throws Exception {
    Files.createDirectories(folder.resolve("etc"));
    String script =
        String.join("\n", PAGE.blocks("sh"))
            .replaceAll("(^|\\s)/(opt|etc)", "$1" + folder + "/$2")
            .concat("complete -p quota\n");

    Process bash =
        new ProcessBuilder("bash", "-e", "-c", script)
            .directory(MarkdownFile.ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes());

    assertThat(bash.waitFor()).as(said).isZero();
    assertThat(said).contains("quota 0.", "enforcer 0.", "_complete_quota");
    assertThat(folder.resolve("etc/quota-enforcer/enforcer.properties")).isNotEmptyFile();
  }

  @Test
  void versionsOfFiles_areThatOfTheBuild() {
    String version = Pom.ofBuild().text("version").orElseThrow();
    assertThat(PAGE.text().replace(version, "VERSION"))
        .doesNotContainPattern("quota-(enforcer-)?[0-9]+\\.[0-9]+\\.[0-9]+")
        .contains("quota-VERSION.tar.gz", "quota-enforcer-VERSION.tar.gz");
  }

  @Test
  void blocks_areTypedHere_orSaidToBeNotRun() {
    assertThat(PAGE.blocks())
        .extracting(MarkdownFile.Block::language)
        .containsOnly("sh", "console");
    List<String> files = List.of("ops/helm/quota-enforcer", "ops/kubernetes/quota-enforcer.yaml");
    assertThat(files).allSatisfy(file -> assertThat(PAGE.text()).contains(file));
  }
}
