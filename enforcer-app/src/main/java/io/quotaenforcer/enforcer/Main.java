package io.quotaenforcer.enforcer;

import ch.qos.logback.classic.Level;
import io.quotaenforcer.enforcer.config.CommandConfig;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.server.PropertiesFile;
import io.quotaenforcer.server.text.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The enforcer as a program of its own; {@code quota enforcer} is the same with more options. */
public final class Main {
  private static final String USAGE =
      """
      Usage: enforcer [--config FILE]
      Runs an enforcer. Any number may run; they share the work.
            --config FILE   Settings of the enforcer; environment variables QUOTA_* override them.
        -h, --help          Shows this and ends.
        -V, --version       Shows the version and ends.
      """;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(
        run(
            List.of(arguments),
            Map.copyOf(System.getenv()),
            stream(FileDescriptor.out),
            stream(FileDescriptor.err)));
  }

  /** Runs a command line and returns its exit code. */
  static int run(
      List<String> arguments, Map<String, String> environment, PrintWriter out, PrintWriter err) {
    if (arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"))) {
      out.print(USAGE);
      out.flush();
      return ExitCode.DONE;
    }
    if (arguments.equals(List.of("--version")) || arguments.equals(List.of("-V"))) {
      out.println("enforcer " + EnforcerProcess.version());
      return ExitCode.DONE;
    }
    boolean named = arguments.size() == 2 && arguments.get(0).equals("--config");
    if (!named && !arguments.isEmpty()) {
      err.println("error: unknown arguments: " + Printable.line(String.join(" ", arguments)));
      err.print(USAGE);
      err.flush();
      return ExitCode.USAGE;
    }
    try {
      run(named ? Optional.of(Path.of(arguments.get(1))) : Optional.empty(), environment, out, err);
      return ExitCode.DONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    } catch (RuntimeException e) {
      String message =
          ExitCode.isExpected(e)
              ? String.valueOf(e.getMessage())
              : e + " (this is a mistake in the program)";
      message.lines().forEach(line -> err.println("error: " + Printable.line(line)));
      if (!ExitCode.isExpected(e)) {
        e.printStackTrace(err);
      }
      return ExitCode.of(e);
    }
  }

  private static void run(
      Optional<Path> file, Map<String, String> environment, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    List<SettingSource> sources = new ArrayList<>();
    sources.add(EnforcerConfig.environment(environment));
    file.map(PropertiesFile::read).ifPresent(sources::add);
    List<SettingSource> command = connectTimeout(environment);
    EnforcerConfig settings = EnforcerConfig.of(sources, command, Optional.empty());
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io.quotaenforcer"))
        .setLevel(Level.INFO);
    new EnforcerRun(settings, CommandConfig.of(command).connectTimeout(), out, err).run();
  }

  private static List<SettingSource> connectTimeout(Map<String, String> environment) {
    String variable = Environment.variable(CommandConfig.CONNECT_TIMEOUT_KEY);
    String value = environment.getOrDefault(variable, "");
    return value.isBlank()
        ? List.of()
        : List.of(
            new SettingSource("$" + variable, Map.of(CommandConfig.CONNECT_TIMEOUT_KEY, value)));
  }

  private static PrintWriter stream(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
