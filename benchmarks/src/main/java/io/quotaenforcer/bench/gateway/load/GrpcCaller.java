package io.quotaenforcer.bench.gateway.load;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.gateway.envoy.RateLimitGrpc;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import java.util.List;
import java.util.stream.IntStream;

/** Asks like Envoy: over a few connections, one descriptor of two entries a request. */
public final class GrpcCaller implements Caller {
  private static final int CONNECTIONS = 4;

  private final List<ManagedChannel> channels;
  private final List<RateLimitRequest> requests;

  public GrpcCaller(int port, Users users) {
    requests = IntStream.range(0, users.all()).mapToObj(user -> request(users, user)).toList();
    channels =
        IntStream.range(0, CONNECTIONS)
            .<ManagedChannel>mapToObj(
                number ->
                    NettyChannelBuilder.forAddress("127.0.0.1", port)
                        .usePlaintext()
                        .directExecutor()
                        .build())
            .toList();
  }

  @Override
  public void call(int user, Receiver receiver) {
    ClientCalls.asyncUnaryCall(
        channels
            .get(user % CONNECTIONS)
            .newCall(RateLimitGrpc.SHOULD_RATE_LIMIT, CallOptions.DEFAULT),
        requests.get(user),
        new Observer(receiver));
  }

  private static RateLimitRequest request(Users users, int user) {
    return RateLimitRequest.newBuilder()
        .setDomain("bench")
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(entry("plan", users.plan(user)))
                .addEntries(entry("user", users.name(user))))
        .build();
  }

  private static RateLimitDescriptor.Entry entry(String key, String value) {
    return RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value).build();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private record Observer(Receiver receiver) implements StreamObserver<RateLimitResponse> {
    @Override
    public void onNext(RateLimitResponse response) {
      receiver.received(
          response.getOverallCode() == RateLimitResponse.Code.OK
              ? Answer.ADMITTED
              : Answer.REFUSED);
    }

    @Override
    public void onError(Throwable failure) {
      receiver.received(Answer.FAILED);
    }

    @Override
    public void onCompleted() {
      // The answer was all.
    }
  }
}
