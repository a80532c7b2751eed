package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.AddingThreads.untilAllHaveEnded;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What classes ask for is counted to the permit, however much it is and however many ask. */
class ClassDemandsTest {
  private static final int THREADS = 4;

  /** From fewer than are counted in one place to many more. */
  private static final int EACH = 5_000;

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of("users", Map.of()),
              DemandClass.of("jobs", Map.of("job", new Matcher.Any()))));

  private final ClassDemands demands =
      new ClassDemands(
          CLASSES,
          new BookContext(
              BookSettings.defaults().with(new Spreading(2, 1, 1)), 10, new KeyHash(1, 2)),
          1_000,
          0);

  @Test
  void asked_byThreadsAtOnce_whileTheOwnerLooks_isCountedToThePermit() {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int request = 0; request < EACH; request++) {
                  demands.asked(0, 2);
                  demands.asked(1, 3);
                  demands.asked(1, -1);
                }
              }));
    }
    threads.add(
        new Thread(
            () -> {
              for (int look = 1; look <= 500; look++) {
                demands.measure(SECOND, look * SECOND);
              }
            }));
    untilAllHaveEnded(threads);
    assertThat(demands.askedBy(0)).isEqualTo(2L * THREADS * EACH);
    assertThat(demands.askedBy(1)).isEqualTo(2L * THREADS * EACH);
  }

  @Test
  void demand_whileItGrowsToMany_isMeasuredOfAll() {
    long now = SECOND;
    demands.measure(SECOND, now);
    for (int perSecond : new int[] {10, 900, 40_000, 1_000_000, 20}) {
      // A rise that is more than chance is believed at once; what it falls to, after some loops.
      for (int second = 0; second < 20; second++) {
        now += SECOND;
        demands.asked(0, perSecond / 2);
        demands.asked(0, perSecond - perSecond / 2);
        demands.asked(1, 2L * perSecond);
        demands.measure(SECOND, now);
      }
      List<ClassDemand> divided = demands.divide(3.0 * perSecond, 0);
      assertThat(divided.get(0).perSecond())
          .as("%d per second", perSecond)
          .isCloseTo(perSecond, Offset.offset(0.02 * perSecond));
      assertThat(divided.get(1).perSecond())
          .isCloseTo(2.0 * perSecond, Offset.offset(0.02 * perSecond));
    }
  }
}
