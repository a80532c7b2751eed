package io.quotaenforcer.samples.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.testkit.Site;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/** The sample, twice, each a process, called over sockets; Kafka is killed between. */
@Timeout(720)
class GreeterServerIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long LIMIT = 500;

  /** The wait, and what a machine adds on which other tests run. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(15);

  // Windows so long that a border among them is unlikely.
  private static final String RULES =
      """
      domain: greeter
      rules:
        - {id: strict, match: {user: strict-*}, key: [user], enforcement: strict,
           limit: {permits: 500, per: 1d, algorithm: fixed-window}}
        - {id: plain, match: {user: plain}, key: [user], limit: {permits: 100, per: 1s}}
        - {id: nobody, match: {user: nobody}, key: [user],
           limit: {permits: 0, per: 1d, algorithm: fixed-window}}
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
    Site site = Site.start(Files.createDirectories(folder.resolve("site")), RULES);
    open.add(site);
    serve("one", site.bootstrapServers());
    serve("two", site.bootstrapServers());
    // Until a server knows the rules, it lets all calls run.
    awaitEnd("nobody", Status.Code.RESOURCE_EXHAUSTED);
    assertThat(CallLoad.greet(channels.get(0), "plain")).isEqualTo("hello plain");

    long admitted = 0;
    long refused = 0;
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (admitted < LIMIT && System.nanoTime() < end) {
      CallLoad.Seen seen = CallLoad.run(channels, "strict-ann", calls(100));
      assertOnlyOkAndRefused(seen);
      admitted += seen.count(Status.Code.OK);
      refused += seen.count(Status.Code.RESOURCE_EXHAUSTED);
    }
    assertThat(admitted).isEqualTo(LIMIT);
    CallLoad.Seen beyond = CallLoad.run(channels, "strict-ann", calls(500));
    assertOnlyOkAndRefused(beyond);
    assertThat(beyond.count(Status.Code.OK)).isZero();
    assertThat(beyond.count(Status.Code.RESOURCE_EXHAUSTED)).isGreaterThanOrEqualTo(500);

    site.killKafka();
    CallLoad.Seen plain = CallLoad.run(channels, "plain", during(Duration.ofSeconds(5)));
    CallLoad.Seen strict = CallLoad.run(channels, "strict-cid", during(Duration.ofSeconds(5)));
    System.out.printf(
        "two servers: admitted %d, refused on the way %d; Kafka killed: plain %s, longest %d ms;"
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

    site.startKafka();
    awaitEnd("strict-dan", Status.Code.OK);
    assertOnlyOkAndRefused(CallLoad.run(channels, "plain", calls(200)));
    assertThat(CallLoad.run(channels, "strict-ann", calls(100)).count(Status.Code.OK))
        .as("what was used up stays so")
        .isZero();
    assertThat(servers).allMatch(ChildJvm::isAlive);
  }

  /** Calls each server until a call of the user ends like that. */
  private void awaitEnd(String user, Status.Code how) {
    for (Channel channel : channels) {
      await().atMost(TIMEOUT).until(() -> CallLoad.call(channel, user), how::equals);
    }
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
            GreeterServer.class,
            bootstrapServers,
            "0");
    open.add(jvm);
    servers.add(jvm);
    int port = Integer.parseInt(jvm.awaitLine("listens on ", TIMEOUT).strip());
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
}
