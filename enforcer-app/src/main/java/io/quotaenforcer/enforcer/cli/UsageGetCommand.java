package io.quotaenforcer.enforcer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.text.Printable;
import io.quotaenforcer.enforcer.text.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota usage get}: what was counted for one quota key. */
@Command(name = "get", description = "Shows what was counted for one quota key, as of now.")
final class UsageGetCommand implements Callable<Integer> {
  private static final String DEFAULT_ENFORCER = "http://127.0.0.1:8089";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rule",
      required = true,
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "The rule.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId rule;

  @Option(
      names = "--enforcer",
      paramLabel = "URL",
      description =
          "HTTP address of any enforcer. Default: $QUOTA_ENFORCER, or http://127.0.0.1:8089.")
  private @Nullable String enforcer;

  @Parameters(
      paramLabel = "ATTRIBUTE=VALUE",
      description = "The rule's key attributes, such as user=42.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  UsageGetCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    URI uri = uri();
    HttpResponse<String> response = ask(uri);
    JsonNode body = parse(uri, response);
    switch (response.statusCode()) {
      case 200 -> show(body);
      case 503 -> throw new CommandException(ExitCode.UNREACHABLE, reason(body));
      default -> throw new CommandException(ExitCode.FAILED, reason(body));
    }
    return ExitCode.DONE;
  }

  private HttpResponse<String> ask(URI uri) throws InterruptedException {
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            // Another enforcer may hold the key.
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.UNREACHABLE,
          "cannot reach an enforcer at "
              + uri.getScheme()
              + "://"
              + uri.getAuthority()
              + ": is it running there? See --enforcer",
          e);
    }
  }

  private URI uri() {
    String base =
        Optional.ofNullable(enforcer)
            .or(() -> Optional.ofNullable(options.environment().get("QUOTA_ENFORCER")))
            .orElse(DEFAULT_ENFORCER);
    String query =
        attributes.entrySet().stream()
            .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&"));
    String path = "/usage/" + rule.domain() + "/" + rule.id();
    try {
      URI uri =
          URI.create(base.replaceFirst("/+$", "") + path + (query.isEmpty() ? "" : "?" + query));
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new ParameterException(
        spec.commandLine(), "must be an http:// or https:// URL: --enforcer=" + base);
  }

  private void show(JsonNode usage) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(Json.write(usage));
      return;
    }
    out.println(
        Printable.line(
            usage.path("quotaKey").asText() + ", limit " + usage.path("limit").asText()));
    out.println(
        "%d available, %d held by %d instance(s)"
            .formatted(
                usage.path("available").asLong(),
                usage.path("outstanding").asLong(),
                usage.path("holders").asLong()));
    TextTable table = TextTable.of("WINDOW", "USED", "THROTTLED");
    usage
        .path("windows")
        .forEach(
            window ->
                table.row(
                    window.path("start").asText(),
                    window.path("used").asLong(),
                    window.path("throttled").asLong()));
    table.lines().forEach(out::println);
  }

  private static JsonNode parse(URI uri, HttpResponse<String> response) {
    try {
      return new ObjectMapper().readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new CommandException(
          ExitCode.FAILED,
          "no enforcer answers at "
              + uri.getScheme()
              + "://"
              + uri.getAuthority()
              + " (status "
              + response.statusCode()
              + "): another program uses this port",
          e);
    }
  }

  private static String reason(JsonNode body) {
    return body.path("error").asText("the enforcer did not say why");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
