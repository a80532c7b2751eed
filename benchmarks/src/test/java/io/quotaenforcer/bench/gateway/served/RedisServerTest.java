package io.quotaenforcer.bench.gateway.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RedisServerTest {
  @TempDir private Path folder;

  @Test
  void requests_areCountedPerUser_untilItIsClosed() throws Exception {
    RedisServer server = RedisServer.start(installed(), folder);
    try (server;
        RedisCounting counting = RedisCounting.connect(server.port())) {
      assertThat(decide(counting, "a")).isEqualTo(RateLimitResponse.Code.OK);
      // Some second has more requests than permits.
      assertThat(
              Stream.generate(() -> decide(counting, "a"))
                  .anyMatch(RateLimitResponse.Code.OVER_LIMIT::equals))
          .isTrue();
      assertThat(decide(counting, "b")).isEqualTo(RateLimitResponse.Code.OK);
    }
    assertThat(isThere(server.port())).isFalse();
  }

  @Test
  void program_thatIsNoRedis_isRefusedWithWhatItSaid() throws Exception {
    Path program = folder.resolve("redis-server");
    Files.writeString(program, "#!/bin/sh\necho 'out of order'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();

    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> RedisServer.start(new RedisProgram(program), folder))
        .withMessageContaining("said: out of order");
  }

  @Test
  void find_isTheFirstThatCanBeRun() throws IOException {
    Path second = Files.createDirectories(folder.resolve("b")).resolve("redis-server");
    Files.createFile(second);
    assertThat(RedisProgram.find("/nowhere:" + folder.resolve("b"))).isEmpty();

    assertThat(second.toFile().setExecutable(true)).isTrue();

    assertThat(RedisProgram.find("/nowhere::" + folder.resolve("b")))
        .hasValue(new RedisProgram(second));
    assertThat(RedisProgram.find("")).isEmpty();
  }

  /** Without it the test is skipped; where CI says that it is CI, the test fails. */
  private static RedisProgram installed() {
    Optional<RedisProgram> program = RedisProgram.find(System.getenv("PATH"));
    if ("true".equals(System.getenv("CI")) && program.isEmpty()) {
      throw new AssertionError("must be there, as CI=true: " + RedisProgram.HOW_TO_INSTALL);
    }
    assumeTrue(program.isPresent(), RedisProgram.HOW_TO_INSTALL);
    return program.orElseThrow();
  }

  private static RateLimitResponse.Code decide(RedisCounting counting, String user) {
    RateLimitRequest request =
        RateLimitRequest.newBuilder()
            .setDomain("bench")
            .addDescriptors(
                RateLimitDescriptor.newBuilder()
                    .addEntries(entry("plan", "free"))
                    .addEntries(entry("user", user)))
            .build();
    return counting.decide(request).orTimeout(10, TimeUnit.SECONDS).join().getOverallCode();
  }

  private static RateLimitDescriptor.Entry entry(String key, String value) {
    return RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value).build();
  }

  private static boolean isThere(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
