package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The other enforcers, asked for what they know themselves, in the caller's name. */
final class Fleet implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int MOST_BYTES = 4 << 20;

  private final ClientFactory factory;

  /** One enforcer's answer, or why there is none. */
  record Told(URI enforcer, Optional<JsonNode> answer, int status, String why) {
    private static Told nothing(URI enforcer, String why) {
      return new Told(enforcer, Optional.empty(), 0, why);
    }
  }

  /**
   * @param certificates by which they are known when they have TLS; empty for those of the JVM
   */
  Fleet(Optional<Path> certificates) {
    factory =
        ClientFactory.builder()
            .connectTimeout(TIMEOUT)
            .idleTimeout(Duration.ofSeconds(15))
            .tlsCustomizer(tls -> certificates.ifPresent(file -> tls.trustManager(file.toFile())))
            .build();
  }

  /** Asks all of them, and waits for each as long as for one. */
  CompletableFuture<List<Told>> ask(
      Collection<URI> enforcers, String pathAndQuery, @Nullable String authorization) {
    Map<URI, CompletableFuture<Told>> asked = new LinkedHashMap<>();
    for (URI enforcer : enforcers) {
      asked.put(enforcer, ask(enforcer, pathAndQuery, authorization));
    }
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .thenApply(done -> asked.values().stream().map(CompletableFuture::join).toList());
  }

  /** Never fails. */
  CompletableFuture<Told> ask(URI enforcer, String pathAndQuery, @Nullable String authorization) {
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.GET, onlyThere(pathAndQuery))
            .set(HttpHeaderNames.AUTHORIZATION, authorization == null ? "" : authorization)
            .build();
    return WebClient.builder(enforcer)
        .factory(factory)
        .responseTimeout(TIMEOUT)
        .maxResponseLength(MOST_BYTES)
        .build()
        .execute(headers)
        .aggregate()
        .thenApply(response -> told(enforcer, response))
        .exceptionally(failure -> Told.nothing(enforcer, "it does not answer"));
  }

  /** The question, of what the one who is asked knows itself. */
  private static String onlyThere(String pathAndQuery) {
    int mark = pathAndQuery.indexOf('?');
    String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
    QueryParams asked =
        mark < 0 ? QueryParams.of() : QueryParams.fromQueryString(pathAndQuery.substring(mark + 1));
    // A parameter that is given twice is refused, and callers may have said that they ask for all.
    return path + "?" + asked.toBuilder().set(ApiRoutes.HERE, "true").build().toQueryString();
  }

  private static Told told(URI enforcer, AggregatedHttpResponse response) {
    try {
      JsonNode body = MAPPER.readTree(response.contentUtf8());
      return response.status().equals(HttpStatus.OK)
          ? new Told(enforcer, Optional.of(body), HttpStatus.OK.code(), "")
          : new Told(
              enforcer,
              Optional.empty(),
              response.status().code(),
              body.path("error").asText(response.status().toString()));
    } catch (JsonProcessingException e) {
      return Told.nothing(enforcer, "it does not answer in JSON: " + response.status());
    }
  }

  @Override
  public void close() {
    factory.closeAsync();
  }
}
