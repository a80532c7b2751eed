package io.quotaenforcer.cli.examine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.cli.doctor.EnforcerFacts;
import io.quotaenforcer.cli.doctor.EnforcerFacts.State;
import io.quotaenforcer.cli.doctor.PrometheusText;
import io.quotaenforcer.enforcer.http.EnforcersService;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks an enforcer for all of them, and each of them how it is. */
final class EnforcerLook {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int MOST_BYTES = 8 << 20;
  private static final int MOST_ENFORCERS = 50;

  private final URI first;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * @param first any enforcer
   */
  EnforcerLook(URI first) {
    this.first = first;
  }

  private record Answer(int status, String body) {}

  /** One after the other, fifty at most. */
  List<EnforcerFacts> facts() throws InterruptedException {
    List<EnforcerFacts> facts = new ArrayList<>();
    for (URI enforcer : all()) {
      facts.add(new EnforcerFacts(enforcer.toString(), state(enforcer)));
    }
    return facts;
  }

  /** One that is alone, or of a version that does not tell of others, is asked where it was. */
  private List<URI> all() throws InterruptedException {
    try {
      List<URI> all = new ArrayList<>();
      Answer answer = get(first, EnforcersService.PATH);
      if (answer.status() == OK) {
        json(answer).path(EnforcersService.LIST).forEach(it -> all.add(URI.create(it.asText())));
      }
      return all.size() < 2 ? List.of(first) : all.stream().limit(MOST_ENFORCERS).toList();
    } catch (IOException | IllegalArgumentException e) {
      return List.of(first);
    }
  }

  private State state(URI enforcer) throws InterruptedException {
    try {
      Answer health = get(enforcer, "/health/ready");
      Answer metrics = get(enforcer, "/metrics");
      if ((health.status() != OK && health.status() != UNAVAILABLE) || metrics.status() != OK) {
        return new State.Silent("another program answers there, or an enforcer that is too busy");
      }
      return new State.Answers(
          health.status() == OK
              ? Optional.empty()
              : Optional.of(json(health).path("reason").asText("it does not say why")),
          PrometheusText.parse(metrics.body()));
    } catch (JsonProcessingException e) {
      return new State.Silent("another program answers there");
    } catch (IOException e) {
      return new State.Silent("no enforcer answers there");
    }
  }

  private static JsonNode json(Answer answer) throws JsonProcessingException {
    return new ObjectMapper().readTree(answer.body());
  }

  private Answer get(URI enforcer, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(enforcer.toString().replaceFirst("/+$", "") + path))
            .timeout(TIMEOUT)
            .build();
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      return new Answer(
          response.statusCode(), new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
    }
  }
}
