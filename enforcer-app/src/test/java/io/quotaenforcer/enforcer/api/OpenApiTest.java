package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The description against the server. */
@Timeout(60)
class OpenApiTest {
  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE", "PATCH");

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private ApiSite site;

  @BeforeEach
  void start() throws Exception {
    site = new ApiSite(folder).ready();
  }

  @AfterEach
  void stop() {
    site.close();
  }

  private int status(String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(site.address() + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  /** Without a token, what exists is refused, and what does not is not found. */
  @Test
  void everyMethodOfEveryPath_isThereAsDescribed_andNoOther() throws Exception {
    JsonNode document =
        new ObjectMapper()
            .readTree(
                client
                    .send(
                        HttpRequest.newBuilder(URI.create(site.address() + "/api/v1/openapi.json"))
                            .build(),
                        BodyHandlers.ofString())
                    .body());
    Set<String> seen = new HashSet<>();
    for (var path : document.path("paths").properties()) {
      String concrete = path.getKey().replaceAll("\\{\\w+}", "a");
      for (String method : METHODS) {
        JsonNode operation = path.getValue().path(method.toLowerCase(Locale.ROOT));
        int expected = operation.isMissingNode() ? 405 : operation.has("x-role") ? 401 : 200;
        assertThat(status(method, concrete)).as(method + " " + concrete).isEqualTo(expected);
        if (!operation.isMissingNode()) {
          seen.add(method + " " + path.getKey());
        }
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            ApiRoutes.ALL.stream().map(it -> it.method() + " " + it.path()).toList());
    assertThat(status("GET", "/api/v1/nothing")).isEqualTo(404);
    assertThat(status("GET", "/api/v2/overview")).isEqualTo(404);
  }

  @Test
  void everyOperation_saysWhatItTakesAndGives() {
    JsonNode document = OpenApi.document();
    assertThat(document.path("openapi").asText()).startsWith("3.");
    document
        .path("paths")
        .forEach(
            path ->
                path.forEach(
                    operation -> {
                      assertThat(operation.path("summary").asText()).endsWith(".");
                      assertThat(operation.at("/responses/200/content").size()).isEqualTo(1);
                      assertThat(operation.at("/responses/default/content").size()).isEqualTo(1);
                      operation
                          .path("parameters")
                          .forEach(
                              parameter ->
                                  assertThat(parameter.path("description").asText()).isNotEmpty());
                    }));
    assertThat(document.at("/components/schemas/Error/properties/category/enum").size())
        .isEqualTo(ApiProblem.Kind.values().length);
  }
}
