package io.quotaenforcer.simulation.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class CourseTest {
  private static Course course(IntToDoubleFunction letThrough) {
    double[] all = new double[Trouble.END_SECOND];
    Arrays.setAll(all, letThrough);
    return new Course(new long[Trouble.END_SECOND], all);
  }

  @Test
  void whatIsLetThrough_onceItStaysNearItsEnd_hasSettled() {
    Course course = course(second -> second < 60 ? 700 : second < 75 ? 250 : 500);

    assertThat(course.settledSeconds(60)).isEqualTo(15);
    assertThat(course.swing()).isZero();
  }

  @Test
  void oneSecondFarOff_late_isNotSettledBefore() {
    assertThat(course(second -> second == 200 ? 400 : 500).settledSeconds(60)).isEqualTo(141);
  }

  @Test
  void swing_isFromTheLeastToTheMost() {
    Course course = course(second -> second % 2 == 0 ? 480 : 520);

    assertThat(course.swing()).isCloseTo(0.08, within(1e-9));
    assertThat(course.settledSeconds(60)).isZero();
  }

  @Test
  void answersInTime_beforeTheTrouble_areNotCounted() {
    long[] good = new long[Trouble.END_SECOND];
    Arrays.fill(good, 2);

    assertThat(new Course(good, new double[good.length]).goodInTrouble()).isEqualTo(480);
  }
}
