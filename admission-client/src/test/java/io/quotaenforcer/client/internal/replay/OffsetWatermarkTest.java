package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OffsetWatermarkTest {
  private final OffsetWatermark watermark = new OffsetWatermark();

  @Test
  void nothingRead_nothingToCommit() {
    assertThat(watermark.committable()).isEqualTo(-1);
  }

  @Test
  void offset_belowTheLast_isRefused() {
    watermark.add(5);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> watermark.add(5))
        .withMessage("must be >= 6: offset=5");
  }

  @Test
  void finishedInAnyOrder_isTheLowestUnfinishedOrTheNextToRead() {
    Seeded.check(
        300,
        random -> {
          OffsetWatermark any = new OffsetWatermark();
          TreeMap<Long, OffsetWatermark.Mark> unfinished = new TreeMap<>();
          long next = random.nextInt(3);
          any.readUpTo(next);
          for (int step = 0; step < 200; step++) {
            if (unfinished.isEmpty() || random.nextInt(3) > 0) {
              long offset = next + random.nextInt(3);
              unfinished.put(offset, any.add(offset));
              next = offset + 1;
            } else if (random.nextInt(4) == 0) {
              next += random.nextInt(2);
              any.readUpTo(next);
            } else {
              var entries = new ArrayList<>(unfinished.entrySet());
              Map.Entry<Long, OffsetWatermark.Mark> one =
                  entries.get(random.nextInt(entries.size()));
              one.getValue().finish();
              unfinished.remove(one.getKey());
            }
            assertThat(any.committable())
                .isEqualTo(unfinished.isEmpty() ? next : unfinished.firstKey());
          }
        });
  }
}
