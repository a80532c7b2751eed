package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers in processes of their own, called over sockets, with a broker and an enforcer. */
@Timeout(240)
class GrpcQuotaIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long LIMIT = 500;

  /** The wait, and what a machine adds on which other tests run. */
  private static final Duration LONGEST_CALL = EchoServer.MAX_WAIT.plusSeconds(5);

  // Windows so long that a border among them is unlikely.
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: strict, match: {api: strict}, key: [user], enforcement: strict,
           limit: {permits: 500, per: 1d, algorithm: fixed-window}}
        - {id: plain, match: {api: plain}, key: [user], limit: {permits: 100, per: 1s}}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<ChildJvm> servers = new ArrayList<>();
  private final List<Channel> channels = new ArrayList<>();

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void twoServers_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    BrokerOptions options =
        BrokerOptions.defaults().withPort(freePort()).withDataFolder(folder.resolve("broker"));
    EmbeddedBroker broker = EmbeddedBroker.start(options);
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    serve("one", broker.bootstrapServers());
    serve("two", broker.bootstrapServers());
    enforcer.awaitReady();

    long admitted = 0;
    long refused = 0;
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (admitted < LIMIT && System.nanoTime() < end) {
      CallLoad.Seen seen = CallLoad.run(channels, "strict", "ann", calls(100));
      assertOnlyOkAndRefused(seen);
      admitted += seen.count(Status.Code.OK);
      refused += seen.count(Status.Code.RESOURCE_EXHAUSTED);
    }
    assertThat(admitted).isEqualTo(LIMIT);
    CallLoad.Seen beyond = CallLoad.run(channels, "strict", "ann", calls(500));
    assertOnlyOkAndRefused(beyond);
    assertThat(beyond.count(Status.Code.OK)).isZero();
    assertThat(beyond.count(Status.Code.RESOURCE_EXHAUSTED)).isGreaterThanOrEqualTo(500);

    broker.close();
    CallLoad.Seen plain = CallLoad.run(channels, "plain", "ben", during(Duration.ofSeconds(8)));
    CallLoad.Seen strict = CallLoad.run(channels, "strict", "cid", during(Duration.ofSeconds(8)));
    System.out.printf(
        "two servers: admitted %d, refused on the way %d; Kafka stopped: plain %s, longest %d ms;"
            + " strict %s, longest %d ms%n",
        admitted,
        refused,
        plain.ends(),
        plain.longest().toMillis(),
        strict.ends(),
        strict.longest().toMillis());
    assertOnlyOkAndRefused(plain);
    assertOnlyOkAndRefused(strict);
    assertThat(plain.count(Status.Code.OK)).isPositive();
    assertThat(strict.count(Status.Code.OK)).as("nobody grants").isZero();

    open.add(EmbeddedBroker.start(options));
    for (Channel channel : channels) {
      await()
          .atMost(TIMEOUT)
          .until(() -> CallLoad.call(channel, "strict", "dan"), Status.Code.OK::equals);
    }
    assertOnlyOkAndRefused(CallLoad.run(channels, "plain", "ben", calls(200)));
    assertThat(CallLoad.run(channels, "strict", "ann", calls(100)).count(Status.Code.OK))
        .as("what was used up stays so")
        .isZero();
    assertThat(servers).allMatch(ChildJvm::isAlive);
  }

  private static void assertOnlyOkAndRefused(CallLoad.Seen seen) {
    assertThat(seen.ends().keySet()).isSubsetOf(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
    assertThat(seen.longest()).isLessThan(LONGEST_CALL);
  }

  private void serve(String name, String bootstrapServers) throws Exception {
    ChildJvm jvm =
        ChildJvm.start(
            name,
            List.of("-Djava.net.preferIPv4Stack=true"),
            folder.resolve(name),
            EchoServer.class,
            bootstrapServers,
            name);
    open.add(jvm);
    servers.add(jvm);
    int port = Integer.parseInt(jvm.awaitLine(EchoServer.SERVING, TIMEOUT));
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .build();
    open.add(channel::shutdownNow);
    channels.add(channel);
  }

  private static BooleanSupplier calls(long count) {
    AtomicLong left = new AtomicLong(count);
    return () -> left.getAndDecrement() > 0;
  }

  private static BooleanSupplier during(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    return () -> System.nanoTime() < end;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
