package io.quotaenforcer.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.tutorial.Tutorial.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Types every command of the tutorial in order, and sees what it shows. */
@Timeout(900)
@Tag("alone")
class TutorialIT {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final Duration COMMAND = Duration.ofSeconds(60);

  /** Commands that the build has run before this test. */
  private static final String BUILD = "mvn ";

  /** The part that is left out without npm, where that is not the CI. */
  private static final String NODE = "Events from Node";

  /** Commands whose output the enforcer has right only some moments later. */
  private static final String READS = "./quota usage get ";

  /** Requests that are counted in one minute belong together. */
  private static final int LAST_SECOND_TO_BEGIN = 45;

  @TempDir Path folder;

  private final Deque<Shell> terminals = new ArrayDeque<>();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private Places places;
  private String typed = "";
  private String shown = "";
  private int files;

  @BeforeEach
  void findPlaces() throws IOException {
    places = Places.find(folder);
  }

  @AfterEach
  void endAll() {
    terminals.forEach(Shell::close);
  }

  @Test
  void tutorial_typed_showsWhatItSays() throws Exception {
    String page = Files.readString(ROOT.resolve("topology-docs/tutorial.md"));
    String part = "";
    long begin = System.nanoTime();
    boolean withNode = hasNpm() || "true".equals(System.getenv("CI"));
    for (Step step : Tutorial.steps(page)) {
      if (step instanceof Step.Heading heading) {
        seconds.computeIfPresent(part, (name, since) -> System.nanoTime() / 1e9 - since);
        part = heading.text();
        seconds.put(part, System.nanoTime() / 1e9);
      } else if (part.equals(NODE) && !withNode) {
        continue;
      } else if (step instanceof Step.Type type) {
        type(type);
      } else if (step instanceof Step.See see) {
        see(see);
      }
    }
    seconds.remove(part);
    Shell up = terminals.getLast();
    up.interrupt();
    assertThat(places.onPage(up.shown()))
        .endsWith(
            "ending; ./quota up with the same options goes on where this was: --data quota-data\n");
    seconds.forEach((name, took) -> System.out.printf("%5.1f s  %s%n", took, name));
    System.out.printf("%5.1f s  the whole tutorial%n", (System.nanoTime() - begin) / 1e9);
    assumeThat(withNode).as("SKIPPED in part: %s, without npm on the PATH", NODE).isTrue();
  }

  private static boolean hasNpm() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(Objects.requireNonNullElse(System.getenv("PATH"), ""))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "npm")));
  }

  private void type(Step.Type step) throws IOException, InterruptedException {
    typed = step.commands().strip();
    if (typed.startsWith(BUILD)) {
      return;
    }
    if (typed.startsWith("for ")) {
      await()
          .atMost(COMMAND)
          .until(() -> Instant.now().getEpochSecond() % 60 < LAST_SECOND_TO_BEGIN);
    }
    if (step.stays()) {
      terminals.push(shell());
    } else {
      shown = output();
    }
  }

  private void see(Step.See step) {
    Shown text = Shown.of(step.text());
    if (step.inOwnTerminal()) {
      Shell terminal = terminals.getFirst();
      await(step.text())
          .atMost(COMMAND)
          .failFast(() -> !terminal.isAlive() && !text.isIn(places.onPage(terminal.shown())))
          .untilAsserted(
              () -> assertThat(places.onPage(terminal.shown())).matches(text::isIn, step.text()));
    } else if (typed.startsWith(READS)) {
      await()
          .atMost(COMMAND)
          .untilAsserted(() -> assertThat(output()).matches(text::is, step.text()));
    } else {
      assertThat(shown).as(typed).matches(text::is, step.text());
    }
  }

  /** The output of the commands that were typed last. */
  private String output() throws IOException, InterruptedException {
    try (Shell shell = shell()) {
      int exitCode = shell.end(COMMAND);
      String output = places.onPage(shell.shown());
      assertThat(exitCode).as("%s%n%s", typed, output).isZero();
      return output;
    }
  }

  private Shell shell() throws IOException {
    Path output = folder.resolve("output-" + files++);
    return Shell.type(places.here(typed), ROOT, output, places.variables());
  }
}
