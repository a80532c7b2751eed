package io.quotaenforcer.bench.central;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.bench.process.JvmCommand;
import io.quotaenforcer.enforcer.cli.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RedisServerTest {
  @Test
  void close_endsIt() throws Exception {
    RedisServer server = RedisServer.start(InstalledRedis.orSkip());
    assertThat(isThere(server.port())).isTrue();

    server.close();

    assertThat(isThere(server.port())).isFalse();
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
  }

  @Test
  void program_isKilled_redisEndsToo() throws Exception {
    InstalledRedis.orSkip();
    Process owner =
        new ProcessBuilder(JvmCommand.of(RedisOwner.class, 64, List.of()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int port;
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8))) {
      port = Integer.parseInt(said.readLine());
      assertThat(isThere(port)).isTrue();
    } finally {
      owner.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }

    await().atMost(Duration.ofSeconds(10)).until(() -> !isThere(port));
  }

  @Test
  void program_thatIsNoRedis_isRefusedWithWhatItSaid(@TempDir Path folder) throws Exception {
    Path program = folder.resolve("redis-server");
    Files.writeString(program, "#!/bin/sh\necho 'out of order'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();

    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> RedisServer.start(new RedisProgram(program)))
        .withMessageContaining("said: out of order");
  }

  @Test
  void find_isTheFirstThatCanBeRun(@TempDir Path folder) throws IOException {
    Path second = Files.createDirectories(folder.resolve("b")).resolve("redis-server");
    Files.createFile(second);
    assertThat(RedisProgram.find("/nowhere:" + folder.resolve("b"))).isEmpty();

    assertThat(second.toFile().setExecutable(true)).isTrue();

    assertThat(RedisProgram.find("/nowhere::" + folder.resolve("b")))
        .hasValue(new RedisProgram(second));
    assertThat(RedisProgram.find("")).isEmpty();
  }

  private static boolean isThere(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
