package io.quotaenforcer.lab.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.lab.outage.Answers.Silence;
import io.quotaenforcer.lab.service.LoopLog.Loop;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final Answers ANSWERS = answers(10, 20, 30, 90, 100, 140);

  @Test
  void longestSilence_beginsWithTheLastAnswerBefore() {
    assertThat(ANSWERS.longest(35, 95)).isEqualTo(new Silence(30, 90));
    assertThat(ANSWERS.longest(95, 135)).isEqualTo(new Silence(100, 140));
  }

  @Test
  void longestSilence_thatEnded_beforeTheTime_isNotTaken() {
    assertThat(ANSWERS.longest(91, 100)).isEqualTo(new Silence(90, 100));
  }

  @Test
  void silence_withoutAnAnswer_hasNoEnd() {
    assertThat(ANSWERS.longest(100, 200)).isEqualTo(new Silence(140, Long.MAX_VALUE));
    assertThat(ANSWERS.firstMicros(141)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void answersOfOtherPartitions_endNoSilence() {
    Answers answers = new Answers(List.of(new Loop(10, 0, 1), new Loop(20, 1, 1)), 0);
    assertThat(answers.firstMicros(11)).isEqualTo(Long.MAX_VALUE);
    assertThat(answers.firstMicros(10)).isEqualTo(10);
  }

  private static Answers answers(long... micros) {
    return new Answers(LongStream.of(micros).mapToObj(at -> new Loop(at, 0, 1)).toList(), 0);
  }
}
