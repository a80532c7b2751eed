package io.quotaenforcer.bench.start;

import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder that this program was built in.
 *
 * @param root holds {@code quota} and the modules
 */
record SourceTree(Path root) {
  private static final String SCRIPT = "quota";

  /**
   * Found from where this class is: {@code benchmarks/target} of it.
   *
   * @throws CommandException if this program was moved elsewhere
   */
  static SourceTree here() {
    Path place;
    try {
      place =
          Path.of(SourceTree.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toAbsolutePath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    Path root = place.resolve("../../..").normalize();
    if (!Files.isExecutable(root.resolve(SCRIPT))) {
      throw new CommandException(
          ExitCode.USAGE,
          "runs only where it was built: no " + root.resolve(SCRIPT) + "; run ./quota there");
    }
    return new SourceTree(root);
  }

  Path script() {
    return root.resolve(SCRIPT);
  }

  /**
   * The jar of a module.
   *
   * @throws CommandException if it was not built
   */
  Path jar(String module) throws IOException {
    Path target = root.resolve(module).resolve("target");
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, "*" + module + "-*.jar")) {
      for (Path jar : jars) {
        if (!jar.toString().endsWith("-tests.jar")) {
          return jar;
        }
      }
    }
    throw new CommandException(ExitCode.FAILED, "no jar in " + target + "; run ./quota version");
  }
}
