package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.BlockingWebClient;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.gateway.envoy.EnvoyOptions;
import io.quotaenforcer.gateway.envoy.RateLimitGrpc;
import io.quotaenforcer.gateway.envoy.RateLimitJson;
import io.quotaenforcer.gateway.envoy.RateLimits;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import io.quotaenforcer.server.Listener;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of both ports that begin requests and do not end them. */
@Timeout(90)
class UnfinishedOnPortsTest {
  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration AWAIT = Duration.ofSeconds(60);
  private static final int MOST_BYTES = 2 << 20;
  private static final int MANY = 100;
  private static final int PART = 200_000;
  private static final String PATH = "/" + RateLimitGrpc.SHOULD_RATE_LIMIT.getFullMethodName();

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void call_thatIsNotHalfClosed_isEndedInTime() throws Exception {
    UnfinishedRequests requests = requests(Duration.ofMillis(100));
    ManagedChannel channel = channel(grpc(requests));
    CompletableFuture<Status> ended = new CompletableFuture<>();
    ClientCall<RateLimitRequest, RateLimitResponse> call =
        channel.newCall(RateLimitGrpc.SHOULD_RATE_LIMIT, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        new Metadata());
    call.sendMessage(request());

    assertThat(ended.get().isOk()).isFalse();
    assertThat(requests.bytes()).isZero();
    assertThat(ask(channel)).isEqualTo(RateLimitResponse.Code.OK);
  }

  @Test
  void unfinishedMessages_takeNoMoreBytesThanTheyMay() {
    UnfinishedRequests requests = requests(LONG);
    GrpcListener listener = grpc(requests);
    byte[] part = ByteBuffer.allocate(PART).put((byte) 0).putInt(255 << 10).array();

    List<CompletableFuture<?>> answers = send(listener.port(), PATH, "application/grpc", part);

    await().atMost(AWAIT).until(() -> ended(answers) >= MANY - MOST_BYTES / PART);
    assertThat(requests.bytes()).isLessThanOrEqualTo(MOST_BYTES);
    assertThat(ask(channel(listener))).isEqualTo(RateLimitResponse.Code.OK);
    assertThat(ended(answers)).isLessThan(MANY);
  }

  @Test
  void unfinishedBodies_takeNoMoreBytesThanTheyMay() {
    UnfinishedRequests requests = requests(LONG);
    int port = http(requests);

    List<CompletableFuture<?>> answers = send(port, "/json", "application/json", new byte[PART]);

    await().atMost(AWAIT).until(() -> ended(answers) >= MANY - MOST_BYTES / PART);
    assertThat(requests.bytes()).isLessThanOrEqualTo(MOST_BYTES);
    assertThat(isAnswered(port)).isTrue();
    assertThat(ended(answers)).isLessThan(MANY);
  }

  @Test
  void body_thatDoesNotEnd_isEndedInTime_alsoByHttp1() throws Exception {
    UnfinishedRequests requests = requests(Duration.ofMillis(100));
    int port = http(requests);
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket
          .getOutputStream()
          .write(
              "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"
                  .getBytes(StandardCharsets.US_ASCII));
      await()
          .atMost(AWAIT)
          .until(
              () -> {
                requests.endOld();
                return socket.getInputStream().available() > 0;
              });

      assertThat(new String(socket.getInputStream().readNBytes(13), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 408 ");
    }
    assertThat(requests.bytes()).isZero();
    assertThat(isAnswered(port)).isTrue();
  }

  private int http(UnfinishedRequests requests) {
    ServerBuilder builder =
        Gateway.builder(
                new GatewayConfig.Listening("127.0.0.1", 0, 0, 0, 10),
                Optional.empty(),
                new SimpleMeterRegistry())
            .decorator(new UnfinishedBodies(requests))
            .service("/json", new RateLimitJson(limits()));
    Listener listener = Listener.start(builder, "127.0.0.1", 0, "http.port");
    open.add(0, listener);
    return listener.port();
  }

  private static boolean isAnswered(int port) {
    String body = "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\"}]}]}";
    return BlockingWebClient.of("http://127.0.0.1:" + port)
        .post("/json", body)
        .status()
        .equals(HttpStatus.OK);
  }

  private static RateLimits limits() {
    return new RateLimits(
        AdmissionClient.standalone(List.of(), Clocks.system()),
        GatewayLimits.none(),
        new EnvoyOptions(Duration.ZERO, Set.of(), false));
  }

  /** Begins many requests over one connection of HTTP/2, and ends none. */
  private List<CompletableFuture<?>> send(int port, String path, String type, byte[] part) {
    ClientFactory connections = ClientFactory.builder().maxNumEventLoopsPerEndpoint(1).build();
    open.add(connections);
    WebClient client =
        WebClient.builder("h2c://127.0.0.1:" + port)
            .factory(connections)
            .responseTimeout(LONG)
            .writeTimeout(LONG)
            .build();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      HttpRequestWriter request =
          HttpRequest.streaming(
              RequestHeaders.of(HttpMethod.POST, path, "content-type", type, "te", "trailers"));
      request.write(HttpData.wrap(part));
      answers.add(client.execute(request).aggregate());
    }
    return answers;
  }

  private static long ended(List<CompletableFuture<?>> answers) {
    return answers.stream().filter(CompletableFuture::isDone).count();
  }

  private static UnfinishedRequests requests(Duration atMost) {
    return new UnfinishedRequests(MOST_BYTES, atMost, System::nanoTime);
  }

  private GrpcListener grpc(UnfinishedRequests requests) {
    GrpcListener listener =
        GrpcListener.start(
            "127.0.0.1",
            0,
            new GrpcListener.Bounds(10, LONG, requests),
            Optional.empty(),
            List.of(),
            List.of(RateLimitGrpc.of(limits())));
    open.add(0, listener);
    return listener;
  }

  private ManagedChannel channel(GrpcListener listener) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", listener.port()).usePlaintext().build();
    open.add(0, channel::shutdownNow);
    return channel;
  }

  private static RateLimitResponse.Code ask(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
            channel, RateLimitGrpc.SHOULD_RATE_LIMIT, CallOptions.DEFAULT, request())
        .getOverallCode();
  }

  private static RateLimitRequest request() {
    return RateLimitRequest.newBuilder()
        .setDomain("edge")
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue("ann")))
        .build();
  }
}
