package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.samples.grpc.GreeterServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sample. */
class GreeterServerTest {
  private static final Rule RULE =
      Rule.of(
          new RuleId("shop", "calls"),
          List.of("api"),
          new FixedWindow(3, Duration.ofDays(30).toNanos()));

  @Test
  void calls_runUpToTheLimit() throws Exception {
    Admission admission = AdmissionClient.standalone(List.of(RULE), Clocks.system());
    Server server = GreeterServer.start(admission, 0);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(greet(channel)).isEqualTo("hello ann");
      }
      assertThatThrownBy(() -> greet(channel))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
      admission.close();
    }
  }

  private static String greet(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(channel, GreeterServer.GREET, CallOptions.DEFAULT, "ann");
  }
}
