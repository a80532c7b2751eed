package io.quotaenforcer.cli;

import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.server.text.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota hash}: the hash that stands for a value, and new keys. */
@Command(
    name = "hash",
    description = {
      "Shows what stands for a value where a rule hashes it, by each key: in quota keys, topics and"
          + " logs, and in overrides. Needs no broker.",
      "With --generate, makes a key instead."
    })
final class HashCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "VALUE",
      description =
          "The value. Default: a line of the input, so that it is in no history of a shell.")
  private @Nullable String value;

  @Option(
      names = "--generate",
      paramLabel = "ID",
      description =
          "Makes a random key of this name (1 to 32 letters, digits, '_' or '-'), as a line of a key"
              + " file.")
  private @Nullable String generate;

  HashCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (generate != null) {
      out.println(newKey(generate));
      return ExitCode.DONE;
    }
    HashKeys keys = hashKeys.keys(options.environment());
    if (keys.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE, "there is no key to hash by: " + HashKeysOption.GIVE);
    }
    List<String> texts = keys.texts(value == null ? line() : value);
    if (options.json()) {
      out.println(Json.write(texts));
    } else {
      texts.forEach(text -> out.println(Printable.line(text)));
    }
    return ExitCode.DONE;
  }

  private String newKey(String id) {
    if (value != null) {
      throw new CommandException(ExitCode.USAGE, "--generate takes no value to hash");
    }
    byte[] secret = new byte[HashKey.MIN_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      return HashKeyText.write(id, secret);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, "--generate: " + e.getMessage(), e);
    }
  }

  private static String line() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      if (line != null) {
        return line;
      }
    } catch (IOException e) {
      throw new CommandException(ExitCode.USAGE, "cannot read the value from the input", e);
    }
    throw new CommandException(ExitCode.USAGE, "give a value, or a line of input");
  }
}
