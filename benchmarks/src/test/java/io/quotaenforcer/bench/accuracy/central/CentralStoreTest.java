package io.quotaenforcer.bench.accuracy.central;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class CentralStoreTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(1_000 * SECOND);
  private CentralStoreServer server;
  private Thread thread;

  @BeforeEach
  void serve() throws IOException {
    server = new CentralStoreServer(clock::get);
    thread = new Thread(server::serve, "central-store-test");
    thread.start();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    thread.join();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void connections_together_getAsMuchAsTheLimitAllows(int kind) {
    Limit limit = limits()[kind];
    int admitted = 0;
    try (CentralStoreClient one = CentralStoreClient.connect(server.port());
        CentralStoreClient other = CentralStoreClient.connect(server.port())) {
      for (int i = 0; i < 10; i++) {
        admitted += one.take(1, limit, 1).admitted() ? 1 : 0;
        admitted += other.take(1, limit, 1).admitted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(5);
      assertThat(one.take(2, limit, 1).admitted()).as("another counter").isTrue();
    }
  }

  @Test
  void answer_saysWhenItWasDecidedAndForWhichWindow() {
    clock.addAndGet(SECOND / 4);
    try (CentralStoreClient client = CentralStoreClient.connect(server.port())) {
      assertThat(client.take(1, new FixedWindow(1, SECOND), 1))
          .isEqualTo(new Taken(1_000 * SECOND + SECOND / 4, 1_000 * SECOND, true));
      assertThat(client.take(2, new TokenBucket(1, SECOND, 1), 1).windowStartNanos()).isZero();
    }
  }

  @Test
  void counter_nextWindow_hasRoomAgain() {
    Limit limit = new FixedWindow(1, SECOND);
    try (CentralStoreClient client = CentralStoreClient.connect(server.port())) {
      assertThat(client.take(1, limit, 1).admitted()).isTrue();
      assertThat(client.take(1, limit, 1).admitted()).isFalse();
      clock.addAndGet(SECOND);
      assertThat(client.take(1, limit, 1).admitted()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void question_writtenAndRead_isTheSame(int kind) {
    Take take = new Take(7, limits()[kind], 3);
    ByteBuffer buffer = ByteBuffer.allocate(Take.BYTES);
    take.write(buffer);

    assertThat(buffer.hasRemaining()).isFalse();
    assertThat(Take.read(buffer.flip())).isEqualTo(take);
  }

  @Test
  void client_storeEnded_fails() throws IOException {
    try (CentralStoreClient client = CentralStoreClient.connect(server.port());
        CentralStoreProcess process = CentralStoreProcess.start();
        CentralStoreClient ended = CentralStoreClient.connect(process.port())) {
      assertThat(ended.take(1, limits()[0], 1).admitted()).isTrue();
      process.close();
      assertThatThrownBy(() -> ended.take(1, limits()[0], 1))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("does not answer");
      assertThat(client.take(1, limits()[0], 1).admitted()).isTrue();
    }
  }

  private static Limit[] limits() {
    return new Limit[] {
      new FixedWindow(5, SECOND), new SlidingWindow(5, SECOND), new TokenBucket(5, SECOND, 5)
    };
  }
}
