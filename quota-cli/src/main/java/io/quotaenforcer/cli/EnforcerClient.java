package io.quotaenforcer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Queries an enforcer over HTTP. Any failure becomes a {@link CommandException}. */
final class EnforcerClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int INTERNAL_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  /** Shared, since each has a thread of its own. */
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          // Another enforcer may hold the key.
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  private final String base;
  private final String origin;
  private final Optional<String> token;

  EnforcerClient(EnforcerAddress enforcer) {
    this(enforcer, Optional.empty());
  }

  /**
   * @param token that entitles to headers and payloads
   */
  EnforcerClient(EnforcerAddress enforcer, Optional<String> token) {
    this.token = token;
    this.origin = enforcer.origin();
    this.base = enforcer.uri().toString().replaceFirst("/+$", "");
  }

  /** The address of an enforcer; empty if the text is not an address. */
  static Optional<URI> address(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")
          ? Optional.of(uri)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Sends a query and returns the answer; retries a busy enforcer for a while. */
  JsonNode get(String path, Map<String, String> parameters) throws InterruptedException {
    String query =
        parameters.entrySet().stream()
            .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&"));
    URI uri = URI.create(base + path + (query.isEmpty() ? "" : "?" + query));
    Answer answer = patiently(uri);
    if (answer.status() != OK) {
      throw refused(answer);
    }
    return answer.body();
  }

  /**
   * The key attributes of a rule whose values the enforcer takes as hashes only; none where there
   * is no such rule. Asks without any value.
   *
   * @param path of the rule's usage
   */
  Set<String> hashed(String path) throws InterruptedException {
    Answer answer = patiently(URI.create(base + path));
    if (answer.status() >= INTERNAL_ERROR) {
      // Nothing is known of the rule: no value may be sent.
      throw refused(answer);
    }
    Set<String> hashed = new TreeSet<>();
    answer.body().path("hashed").forEach(name -> hashed.add(name.asText()));
    return hashed;
  }

  private record Answer(int status, JsonNode body) {}

  private Answer patiently(URI uri) throws InterruptedException {
    Patience patience = Patience.of(TIMEOUT);
    HttpResponse<String> response = ask(uri);
    JsonNode body = parse(uri, response);
    while (isBusy(response, body) && patience.pause()) {
      response = ask(uri);
      body = parse(uri, response);
    }
    return new Answer(response.statusCode(), body);
  }

  private static CommandException refused(Answer answer) {
    return new CommandException(
        answer.status() == UNAVAILABLE ? ExitCode.UNREACHABLE : ExitCode.FAILED,
        reason(answer.body()));
  }

  private static boolean isBusy(HttpResponse<String> response, JsonNode body) {
    return response.statusCode() == UNAVAILABLE && body.path("category").asText().equals("busy");
  }

  private HttpResponse<String> ask(URI uri) throws InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIMEOUT);
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.UNREACHABLE,
          "cannot reach an enforcer at " + where(uri) + ": is it running there?",
          e);
    }
  }

  private JsonNode parse(URI uri, HttpResponse<String> response) {
    try {
      return new ObjectMapper().readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new CommandException(
          ExitCode.FAILED,
          "no enforcer answers at "
              + where(uri)
              + ", but another program does (status "
              + response.statusCode()
              + ")",
          e);
    }
  }

  private String where(URI uri) {
    return uri.getScheme() + "://" + uri.getAuthority() + " (" + origin + ")";
  }

  private static String reason(JsonNode body) {
    return body.path("error").asText("the enforcer did not say why");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
