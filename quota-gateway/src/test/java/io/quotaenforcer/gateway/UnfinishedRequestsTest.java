package io.quotaenforcer.gateway;

import static io.quotaenforcer.gateway.UnfinishedRequests.BYTES_PER_PIECE;
import static io.quotaenforcer.gateway.UnfinishedRequests.BYTES_PER_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnfinishedRequestsTest {
  private static final int LARGE = 100_000;
  private static final Duration AT_MOST = Duration.ofSeconds(10);

  private final List<String> ended = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - 5;
  private final UnfinishedRequests requests =
      new UnfinishedRequests(3 * LARGE, AT_MOST, () -> nanos);

  @Test
  void request_countsUntilItsEnd() {
    UnfinishedRequests.Request request = begin("a");
    request.came(LARGE);
    request.came(1);

    assertThat(requests.bytes()).isEqualTo(BYTES_PER_REQUEST + LARGE + 1 + 2L * BYTES_PER_PIECE);
    request.finished();
    request.finished();
    request.came(1);
    assertThat(requests.bytes()).isZero();
    assertThat(ended).isEmpty();
  }

  @Test
  void oldest_isEnded_whereThereIsNoRoom() {
    UnfinishedRequests.Request small = begin("small");
    begin("first").came(LARGE);
    begin("second").came(LARGE);
    small.finished();
    UnfinishedRequests.Request third = begin("third");
    third.came(LARGE);

    assertThat(ended).containsExactly("first");
    third.came(2 * LARGE);
    assertThat(ended).containsExactly("first", "second", "third");
    assertThat(requests.bytes()).isZero();
  }

  @Test
  void oldest_isEnded_whereThereAreTooMany() {
    int most = 3 * LARGE / BYTES_PER_REQUEST;
    for (int i = 0; i < most + 2; i++) {
      begin("request " + i);
    }

    assertThat(ended).containsExactly("request 0", "request 1");
  }

  @Test
  void request_thatTakesTooLong_isEnded() {
    begin("old");
    nanos += AT_MOST.toNanos() / 2;
    begin("young");
    requests.endOld();
    assertThat(ended).isEmpty();

    nanos += AT_MOST.toNanos() / 2;
    requests.endOld();

    assertThat(ended).containsExactly("old");
    assertThat(requests.bytes()).isEqualTo(BYTES_PER_REQUEST);
  }

  private UnfinishedRequests.Request begin(String name) {
    return requests.begin(() -> ended.add(name));
  }
}
