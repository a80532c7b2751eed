package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.server.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota deferred show ID}: one request in full. */
@Command(
    name = "show",
    description = "Shows one deferred request that waits, or is released and has no result yet.")
final class DeferredShowCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "Id of the request.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String id;

  @Option(
      names = "--payload",
      description = "Also shows headers and payload; a payload that is no text as Base64.")
  private boolean payload;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "The enforcers' http.token.file, for --payload. Default: $QUOTA_HTTP_TOKEN_FILE.")
  private @Nullable Path tokenFile;

  @Mixin private final KeyOption key = new KeyOption();

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredShowCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    JsonNode request =
        new PartitionsSource(enforcer.address(spec, options), token())
            .find(id, key.get())
            .orElseThrow(() -> new CommandException(ExitCode.FAILED, DeferredCommand.notThere(id)));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(Json.write(request));
      return ExitCode.DONE;
    }
    for (Map.Entry<String, JsonNode> field : request.properties()) {
      if (field.getValue().isObject()) {
        field
            .getValue()
            .properties()
            .forEach(entry -> line(out, field.getKey() + "." + entry.getKey(), entry.getValue()));
      } else if (!field.getKey().startsWith("payload") || field.getValue().isNumber()) {
        line(out, field.getKey(), field.getValue());
      } else {
        out.println(field.getKey() + ":");
        out.println(Printable.lines(field.getValue().asText()));
      }
    }
    return ExitCode.DONE;
  }

  private Optional<String> token() {
    if (!payload) {
      return Optional.empty();
    }
    Path file =
        Optional.ofNullable(tokenFile)
            .or(
                () ->
                    Optional.ofNullable(options.environment().get("QUOTA_HTTP_TOKEN_FILE"))
                        .map(Path::of))
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--payload needs --token-file: enforcers show payloads to those who send"
                            + " the token of their http.token.file"));
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "cannot read --token-file=" + file, e);
    }
  }

  private static void line(PrintWriter out, String name, JsonNode value) {
    out.println(Printable.line(name + ": " + value.asText()));
  }
}
