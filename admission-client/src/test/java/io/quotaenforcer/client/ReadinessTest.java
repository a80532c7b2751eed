package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final SortedMap<String, String> unreadable = new TreeMap<>(Comparator.naturalOrder());

  @Test
  void states_sayWhetherRequestsAreDecidedByRules() {
    assertThat(new Readiness.Ready().isReady()).isTrue();
    assertThat(new Readiness.OfLastTime(Instant.EPOCH, "Kafka is away").isReady()).isTrue();
    assertThat(new Readiness.NotYet("the rules are being read").isReady()).isFalse();
    assertThat(new Readiness.Incomplete(unreadable, true).isReady()).isTrue();
    assertThat(new Readiness.Incomplete(unreadable, false).isReady()).isFalse();
  }

  @Test
  void incomplete_keepsWhatWasUnreadable_whateverBecomesOfTheMap() {
    unreadable.put("posts/b", "newer");
    unreadable.put("posts/a", "newer");
    Readiness.Incomplete state = new Readiness.Incomplete(unreadable, true);

    unreadable.clear();

    assertThat(state.unreadable()).containsOnlyKeys("posts/a", "posts/b");
    assertThat(state.unreadable().firstKey()).isEqualTo("posts/a");
    assertThatThrownBy(() -> state.unreadable().remove("posts/a"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
