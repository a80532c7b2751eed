package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.topics.NewestFirst.Page;
import io.quotaenforcer.enforcer.topics.NewestFirst.Place;
import io.quotaenforcer.enforcer.topics.NewestFirst.Row;
import io.quotaenforcer.enforcer.topics.NewestFirst.Stretch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Where pages of a topic end, and go on. */
class NewestFirstTest {
  @Test
  void place_inHundredsOfPartitions_isReadBack() {
    Map<Integer, Long> before = new TreeMap<>();
    for (int partition = 0; partition < 500; partition++) {
      before.put(partition, 1_000_000L + partition);
    }
    Place place = new Place(before);

    assertThat(Place.parse(place.toString())).isEqualTo(place);
  }

  @Test
  void partition_ofWhichNothingIsLeft_isNotInTheNextPlace() {
    Page<String> page =
        NewestFirst.page(List.of(stretch(0, 7, 9), stretch(1, 0, 2), stretch(2, 3, 3)), 3, 4);

    assertThat(page.rows()).hasSize(3);
    assertThat(page.next()).contains("0-8");
    assertThat(NewestFirst.page(List.of(stretch(0, 7, 9)), 10, 2).next()).isEmpty();
  }

  @Test
  void place_neverComesBackToWhatAnEarlierPageHasPassed() {
    Place earlier = Place.parse("0-5,2-9");

    assertThat(Place.parse("0-8,1-4,2-3").within(earlier)).isEqualTo(Place.parse("0-5,2-3"));
    assertThat(Place.parse("1-4").within(earlier).isEnd()).isTrue();
  }

  /** A partition that was read to its begin. */
  private static Stretch<String> stretch(int partition, long begin, long end) {
    Stretch<String> stretch = new Stretch<>(new TopicPartition("letters", partition), begin, begin);
    for (long offset = end - 1; offset >= begin; offset--) {
      stretch.newest.add(new Row<>(partition, offset, 100L * partition + offset, "letter"));
    }
    return stretch;
  }
}
