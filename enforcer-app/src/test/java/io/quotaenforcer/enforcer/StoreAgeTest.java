package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that were left for so long that brokers may have forgotten what was deleted meanwhile. */
class StoreAgeTest {
  @TempDir Path folder;
  private long epochMillis = 1_700_000_000_000L;

  private StoreAge age() {
    return new StoreAge(folder.resolve("state"), "quota", () -> epochMillis);
  }

  private void passes(Duration time) {
    epochMillis += time.toMillis();
  }

  @Test
  void stores_atAFirstStart_areNotOld() {
    assertThat(age().isTooOld()).isFalse();
    age().begin();
    assertThat(age().isTooOld()).isFalse();
  }

  @Test
  void stores_leftForHalfADay_areTooOld_untilTheyBeginAnew() {
    age().begin();
    passes(StoreAge.MOST_BEHIND);
    assertThat(age().isTooOld()).isFalse();
    passes(Duration.ofMillis(1));
    assertThat(age().isTooOld()).isTrue();

    age().begin();

    assertThat(age().isTooOld()).isFalse();
  }

  @Test
  void stores_thatFollowTheirTopics_areNoOlderThanTheLastNote() {
    StoreAge age = age();
    age.begin();
    for (int i = 0; i < 24 * 60; i++) {
      passes(Duration.ofMinutes(1));
      age.followed();
    }
    assertThat(age().isTooOld()).isFalse();

    passes(Duration.ofSeconds(59));
    age.followed();
    passes(StoreAge.MOST_BEHIND.minus(Duration.ofSeconds(59)).plusMillis(1));
    assertThat(age().isTooOld()).as("since the last note").isTrue();
  }

  /** An enforcer that no broker heard for a day has copies of before: its next start drops them. */
  @Test
  void stores_thatWereBehindForTooLong_stayTooOld_thoughTheyFollowAgain() {
    StoreAge age = age();
    age.begin();
    passes(Duration.ofHours(25));
    age.followed();
    age.followed();

    assertThat(age().isTooOld()).isTrue();
  }

  @Test
  void clock_thatIsSetBack_countsFromThere() {
    StoreAge age = age();
    age.begin();
    passes(Duration.ofHours(-48));
    age.followed();
    passes(StoreAge.MOST_BEHIND.plusMillis(1));

    assertThat(age().isTooOld()).isTrue();
  }

  @Test
  void file_isBesideTheStores_byTheirApplication() {
    Properties streams = new Properties();
    streams.put("state.dir", folder.toString());
    streams.put("application.id", "quota-enforcer");

    StoreAge.of(streams).begin();

    assertThat(folder.resolve("quota-enforcer.followed")).exists();
  }

  @Test
  void folder_thatCannotBeWritten_isNamed() throws Exception {
    Files.createFile(folder.resolve("state"));

    assertThatThrownBy(() -> age().begin())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("quota.followed");
  }
}
