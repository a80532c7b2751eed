package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.quotaenforcer.core.SelfSigned;
import io.quotaenforcer.gateway.envoy.RateLimitGrpc;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.Code;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ports with a certificate: who speaks TLS is answered, who does not is not. */
@Timeout(60)
class GatewayTlsTest {
  private static final RateLimitRequest REQUEST =
      RateLimitRequest.newBuilder()
          .setDomain("edge")
          .addDescriptors(
              RateLimitDescriptor.newBuilder()
                  .addEntries(
                      RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue("ann")))
          .build();

  @TempDir private Path folder;
  private final Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(20));
  private SelfSigned files;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    files = SelfSigned.in(folder);
    Path rules =
        Files.writeString(
            folder.resolve("rules.yaml"),
            "{domain: edge, rules: [{id: users, key: [user], limit: {permits: 3, per: 1d}}]}");
    gateway =
        Gateway.start(
            GatewayConfig.of(
                Map.of(
                    "rules.file",
                    rules,
                    "http.port",
                    0,
                    "grpc.port",
                    0,
                    "http.probe.port",
                    0,
                    "tls.certificate.file",
                    files.certificate(),
                    "tls.key.file",
                    files.key())),
            lifecycle);
  }

  @AfterEach
  void stop() {
    lifecycle.close();
  }

  @Test
  void http_withTls_isAnswered_withoutItIsNot() throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(files.trusted()).build();

    assertThat(client.send(decide("https"), BodyHandlers.ofString()).body())
        .isEqualTo("{\"admitted\":true}");
    assertThatThrownBy(() -> client.send(decide("http"), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  private HttpRequest decide(String scheme) {
    return HttpRequest.newBuilder(
            URI.create("%s://127.0.0.1:%d/decide".formatted(scheme, gateway.port())))
        .version(HttpClient.Version.HTTP_1_1)
        .POST(HttpRequest.BodyPublishers.ofString("{\"attributes\": {\"user\": \"ann\"}}"))
        .build();
  }

  @Test
  void grpc_withTls_isAnswered_withoutItIsNot() throws Exception {
    ManagedChannel secure =
        NettyChannelBuilder.forAddress("127.0.0.1", gateway.grpcPort())
            .sslContext(
                GrpcSslContexts.forClient().trustManager(files.certificate().toFile()).build())
            .build();
    ManagedChannel plain =
        NettyChannelBuilder.forAddress("127.0.0.1", gateway.grpcPort()).usePlaintext().build();
    lifecycle.add("secure", secure::shutdownNow);
    lifecycle.add("plain", plain::shutdownNow);

    assertThat(ask(secure).getOverallCode()).isEqualTo(Code.OK);
    assertThatThrownBy(() -> ask(plain))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNAVAILABLE");
  }

  private static RateLimitResponse ask(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
        channel, RateLimitGrpc.SHOULD_RATE_LIMIT, CallOptions.DEFAULT, REQUEST);
  }
}
