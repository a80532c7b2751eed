package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Envoy's rate limit service over real connections, as gRPC and as JSON. */
@Timeout(60)
class EnvoyPortTest {
  private static final String TOKEN = "0123456789abcdef";

  @TempDir private Path folder;
  private final Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(20));

  @AfterEach
  void stop() {
    lifecycle.close();
  }

  @Test
  void descriptor_isCounted_overGrpcAndJsonTogether() throws Exception {
    Gateway gateway = start(Map.of("envoy.response.headers", true));
    Channel channel = channel(gateway);

    RateLimitResponse first = ask(channel, "edge", "user", "ann");
    HttpResponse<String> second = json(gateway, "ann");
    RateLimitResponse third = ask(channel, "edge", "user", "ann");

    assertThat(first.getOverallCode()).isEqualTo(Code.OK);
    assertThat(first.getStatuses(0).getLimitRemaining()).isEqualTo(1);
    assertThat(first.getResponseHeadersToAddList())
        .extracting(RateLimitResponse.HeaderValue::getKey)
        .containsExactly("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).contains("\"overallCode\":\"OK\"");
    assertThat(third.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(json(gateway, "ann").statusCode()).isEqualTo(429);
    assertThat(ask(channel, "edge", "user", "bob").getOverallCode()).isEqualTo(Code.OK);
    assertThat(ask(channel, "unknown", "user", "bob").getOverallCode()).isEqualTo(Code.OK);
  }

  @Test
  void longValue_isCounted_sinceEnvoyAdmitsWhatIsAnError() throws Exception {
    Gateway gateway = start(Map.of());
    String agent = "x".repeat(100_000);
    Channel channel = channel(gateway);

    assertThat(ask(channel, "edge", "user", agent).getOverallCode()).isEqualTo(Code.OK);
    assertThat(json(gateway, agent).statusCode()).isEqualTo(200);
    assertThat(ask(channel, "edge", "user", agent).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void request_thatIsNone_isRefusedWithTheReason() throws Exception {
    Gateway gateway = start(Map.of());

    assertThatThrownBy(() -> ask(channel(gateway), "", "user", "ann"))
        .hasMessageContaining("INVALID_ARGUMENT")
        .hasMessageContaining("domain must not be empty");
    assertThat(post(gateway, "{").statusCode()).isEqualTo(400);
    assertThat(post(gateway, "{\"domain\": \"edge\"}").body())
        .contains("descriptor list must not be empty");
  }

  @Test
  void whoHasNoToken_isRefused() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Gateway gateway = start(Map.of("http.token.file", token));
    Channel channel = channel(gateway);
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    Channel withToken =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));

    assertThatThrownBy(() -> ask(channel, "edge", "user", "ann"))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThat(ask(withToken, "edge", "user", "ann").getOverallCode()).isEqualTo(Code.OK);
    assertThat(json(gateway, "ann").statusCode()).isEqualTo(401);
  }

  @Test
  void lateCharge_isOwed() throws Exception {
    Gateway gateway = start(Map.of("envoy.late.charges", "edge/user"));
    Channel channel = channel(gateway);
    RateLimitRequest.Builder late = request("edge", "user", "ann").setHitsAddend(5);

    RateLimitResponse charged = call(channel, late.build());

    assertThat(charged.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(call(channel, late.build()).getStatuses(0).getLimitRemaining()).isEqualTo(0);
  }

  private Gateway start(Map<String, Object> settings) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            """
            domain: edge
            descriptors:
              - {key: user, rate_limit: {unit: year, requests_per_unit: 2}}
            """);
    Map<String, Object> all =
        new HashMap<>(
            Map.of("envoy.config", config, "http.port", 0, "grpc.port", 0, "http.probe.port", 0));
    all.putAll(settings);
    return Gateway.start(GatewayConfig.of(all), lifecycle);
  }

  private Channel channel(Gateway gateway) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", gateway.grpcPort()).usePlaintext().build();
    lifecycle.add("channel", channel::shutdownNow);
    return channel;
  }

  private static RateLimitResponse ask(Channel channel, String domain, String key, String value) {
    return call(channel, request(domain, key, value).build());
  }

  private static RateLimitResponse call(Channel channel, RateLimitRequest request) {
    return ClientCalls.blockingUnaryCall(
        channel, RateLimitGrpc.SHOULD_RATE_LIMIT, CallOptions.DEFAULT, request);
  }

  private static RateLimitRequest.Builder request(String domain, String key, String value) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value)));
  }

  private static HttpResponse<String> json(Gateway gateway, String user) throws Exception {
    return post(
        gateway,
        """
        {"domain": "edge", "descriptors": [{"entries": [{"key": "user", "value": "%s"}]}]}
        """
            .formatted(user));
  }

  private static HttpResponse<String> post(Gateway gateway, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/json"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
