package io.quotaenforcer.schemas.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcome of each answer that a server may give. */
class RegistryAnswersTest {
  private final Map<String, String> settings = new HashMap<>();
  private HttpServer server;
  private int status = 200;
  private String body = "{\"id\": 7}";
  private String neededAuthorization;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    settings.put("schema.registry.url", url());
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void id_isWritten() {
    assertThat(encode()).startsWith(0, 0, 0, 0, 7);
  }

  @Test
  void basicCredentials_areSent() {
    neededAuthorization =
        "Basic " + Base64.getEncoder().encodeToString("me:secret".getBytes(UTF_8));
    assertThat(refused().reason()).isEqualTo(Reason.REGISTRY_REFUSED);

    settings.put("basic.auth.credentials.source", "USER_INFO");
    settings.put("basic.auth.user.info", "me:secret");

    assertThat(encode()).startsWith(0, 0, 0, 0, 7);
  }

  @Test
  void bearerToken_isSent() {
    neededAuthorization = "Bearer token-1";
    assertThat(refused()).hasMessageContaining("401").hasMessageContaining("bearer.auth.*");

    settings.put("bearer.auth.credentials.source", "STATIC_TOKEN");
    settings.put("bearer.auth.token", "token-1");

    assertThat(encode()).startsWith(0, 0, 0, 0, 7);
  }

  @Test
  void invalidSchema_isRefusedForGood() {
    status = 422;
    body = "{\"error_code\": 42201, \"message\": \"Invalid schema\"}";

    assertThat(refused().reason()).isEqualTo(Reason.REGISTRY_REFUSED);
    assertThat(refused()).hasMessageContaining("422").hasMessageContaining("Invalid schema");
  }

  @Test
  void overloadedOrFailing_isRetriable() {
    for (int failure : new int[] {429, 500, 503}) {
      status = failure;
      body = "{\"error_code\": 50001, \"message\": \"store is down\"}";
      assertThat(refused().isRetriable()).as("status=%d", failure).isTrue();
    }
  }

  @Test
  void webPage_isNoRegistry() {
    body = "<html>hello</html>";
    assertThat(refused().reason()).isEqualTo(Reason.REGISTRY_UNAVAILABLE);
    assertThat(refused()).hasMessageContaining(url()).hasMessageContaining("no registry");

    status = 404;
    assertThat(refused()).hasMessageContaining("URL of the registry's API");
  }

  @Test
  void brokenSchema_isUnknownForGood() {
    body = "{\"schema\": \"{\\\"type\\\": \\\"nonsense\\\"}\"}";
    byte[] bytes = {0, 0, 0, 0, 9, 2, 2};

    try (Codecs codecs = Codecs.from(settings)) {
      RecordCodec<ExhaustedQuota> codec = codecs.codec("topic", ExhaustedQuota.TYPE);
      CodecException broken = catchThrowableOfType(CodecException.class, () -> codec.decode(bytes));

      assertThat(broken.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA);
      assertThat(broken).hasMessageContaining("id 9").hasMessageContaining(url());
    }
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private byte[] encode() {
    try (Codecs codecs = Codecs.from(settings)) {
      return codecs.codec("topic", ExhaustedQuota.TYPE).encode(new ExhaustedQuota(1L, 2L, 0L, 0L));
    }
  }

  private CodecException refused() {
    return catchThrowableOfType(CodecException.class, this::encode);
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    boolean isAllowed = neededAuthorization == null || neededAuthorization.equals(authorization);
    byte[] bytes =
        (isAllowed ? body : "{\"error_code\": 401, \"message\": \"no\"}").getBytes(UTF_8);
    exchange.sendResponseHeaders(isAllowed ? status : 401, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
