package io.quotaenforcer.languages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A language that there is a client in, and how to run programs that use it. */
enum Language {
  NODE("node", "mjs", "js") {
    @Override
    void prepare() throws IOException, InterruptedException {
      Needs.that(succeeds(folder(), List.of("node", "--version")), "Node.js");
      if (!isInstalled()) {
        Program install = Program.run(folder(), Map.of(), INSTALL_TIME, List.of("npm", "ci"));
        Needs.that(install.exitCode() == 0, "what npm ci installs: " + install.output());
      }
    }

    /** Whether what the lock file names was installed after it was written. */
    private boolean isInstalled() throws IOException {
      Path installed = folder().resolve("node_modules/.package-lock.json");
      return Files.exists(installed)
          && Files.getLastModifiedTime(installed)
                  .compareTo(Files.getLastModifiedTime(folder().resolve("package-lock.json")))
              > 0;
    }

    @Override
    List<String> interpreter() {
      return List.of("node");
    }

    @Override
    List<String> ownTests() {
      return List.of("npm", "test");
    }
  },

  PYTHON("python", "py", "python") {
    @Override
    void prepare() throws IOException, InterruptedException {
      Needs.that(found().isPresent(), "Python 3 with the packages kafka and avro");
    }

    @Override
    List<String> interpreter() throws IOException, InterruptedException {
      return List.of(found().orElseThrow(), "-B");
    }

    @Override
    List<String> ownTests() throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(interpreter());
      command.addAll(List.of("-W", "error::ResourceWarning", "-m", "unittest"));
      command.addAll(List.of("discover", "-s", "."));
      return command;
    }

    /** A distribution's own Python has its packages, even where another is found first. */
    private Optional<String> found() throws IOException, InterruptedException {
      for (String each : List.of("python3", "/usr/bin/python3")) {
        if (succeeds(folder(), List.of(each, "-c", "import kafka, avro"))) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }
  };

  private static final Duration INSTALL_TIME = Duration.ofMinutes(3);
  private static final Duration LOOK_TIME = Duration.ofSeconds(30);
  private static final Duration RUN_TIME = Duration.ofSeconds(90);

  private final Path folder;
  private final String suffix;
  private final String markdown;

  Language(String folder, String suffix, String markdown) {
    this.folder = Path.of("..", folder).toAbsolutePath().normalize();
    this.suffix = suffix;
    this.markdown = markdown;
  }

  /** Skips the test if the language is not there; fetches what its client needs. */
  abstract void prepare() throws IOException, InterruptedException;

  abstract List<String> interpreter() throws IOException, InterruptedException;

  /** The command that runs the client's own tests. */
  abstract List<String> ownTests() throws IOException, InterruptedException;

  /** The client's folder. */
  Path folder() {
    return folder;
  }

  /** The mark of its blocks of code in Markdown. */
  String markdown() {
    return markdown;
  }

  Program runOwnTests() throws IOException, InterruptedException {
    return Program.run(folder, Map.of(), RUN_TIME, ownTests());
  }

  /** Runs a program of the test resources. */
  Program run(String name, String... arguments) throws IOException, InterruptedException {
    Path script = Path.of("src", "test", "resources", name + "." + suffix);
    return runText(Files.readString(script), arguments);
  }

  /** Runs a program that finds the client by its name. */
  Program runText(String text, String... arguments) throws IOException, InterruptedException {
    // Node finds a package by its own name from inside its folder only.
    Path own = Files.createDirectories(folder.resolve("target"));
    Path script = Files.createTempFile(own, "program", "." + suffix);
    try {
      Files.writeString(script, text);
      List<String> command = new ArrayList<>(interpreter());
      command.add(script.toString());
      command.addAll(List.of(arguments));
      return Program.run(folder, Map.of("PYTHONPATH", folder.toString()), RUN_TIME, command);
    } finally {
      Files.delete(script);
    }
  }

  private static boolean succeeds(Path folder, List<String> command) throws InterruptedException {
    try {
      return Program.run(folder, Map.of(), LOOK_TIME, command).exitCode() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
