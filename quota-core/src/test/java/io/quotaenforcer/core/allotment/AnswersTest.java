package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.QuotaAnswer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which answer is the latest about a key, and what it says. */
class AnswersTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final long MADE = START + OFFSET;

  private final PartitionLink link = new PartitionLink(BookSettings.defaults(), OFFSET);
  private final Answers answers = new Answers(null, START);

  private static QuotaAnswer answer(long generation, long used, long remaining, long reset) {
    return new QuotaAnswer(
        key("rule", "42"),
        generation,
        100,
        used,
        remaining,
        reset,
        0,
        0,
        DeclaredBound.NOTHING,
        false,
        List.of(),
        List.of(),
        List.of(),
        0,
        Optional.empty());
  }

  private boolean accepts(long used, long made, long echo) {
    return answers.accept(answer(1, used, 0, 0), 1, made, echo);
  }

  @Test
  void answerToAReportFromBefore_orOfAnotherGeneration_isIgnored() {
    assertThat(accepts(1, MADE, START - 1)).isFalse();
    assertThat(answers.accept(answer(2, 1, 0, 0), 1, MADE, START)).isFalse();
    assertThat(answers.newest()).isNull();
    assertThat(answers.answers(Long.MIN_VALUE)).isFalse();

    assertThat(accepts(1, MADE, START)).isTrue();
    assertThat(answers.answers(START)).isTrue();
    assertThat(answers.answers(START + 1)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, 9, false", "0, 4, false", "0, 5, true", "1, 4, true"})
  void answer_isTheLatest_byWhenItWasMade_andThenByItsReport(
      long madeLater, long echo, boolean isLatest) {
    accepts(1, MADE, START + 5);
    assertThat(accepts(2, MADE + madeLater, START + echo)).isEqualTo(isLatest);
    assertThat(answers.newest().used()).isEqualTo(isLatest ? 2 : 1);
    assertThat(answers.answers(START + 5)).as("a later report stays answered").isTrue();
  }

  @Test
  void adopted_noAnswerFromBeforeTheOlderObjectsIsAccepted() {
    Answers older = new Answers(null, START);
    older.accept(answer(1, 1, 0, 0), 1, MADE + 10, START);
    answers.adopt(older);
    assertThat(accepts(2, MADE + 9, START + 20)).isFalse();
    assertThat(accepts(2, MADE + 10, START + 20)).isTrue();
    older.adopt(new Answers(null, START));
    assertThat(older.accept(answer(1, 1, 0, 0), 1, MADE + 9, START)).isFalse();
  }

  @Test
  void lacks_countsWhatIsUsed_notWhatOthersHold() {
    assertThat(answers.lacks(LIMIT, 1)).as("nothing is known").isFalse();
    answers.accept(answer(1, 90, 0, 0), 1, MADE, START);
    assertThat(answers.lacks(LIMIT, 10)).isFalse();
    assertThat(answers.lacks(LIMIT, 11)).isTrue();
  }

  @Test
  void usedUp_fewerAreLeft_untilTheQuotaRenews() {
    assertThat(answers.isUsedUp(link, 1, START)).as("nothing is known").isFalse();
    answers.accept(answer(1, 0, 4, MADE + SECOND), 1, MADE, START);
    assertThat(answers.isUsedUp(link, 4, START)).isFalse();
    assertThat(answers.isUsedUp(link, 5, START)).isTrue();
    assertThat(answers.isUsedUp(link, 5, START + SECOND - 1)).isTrue();
    assertThat(answers.isUsedUp(link, 5, START + SECOND)).isFalse();
  }

  @Test
  void retryAfter_isALoop_orWhenTheQuotaRenews() {
    long loop = 20 * MILLI;
    assertThat(answers.retryAfter(link, 5, loop, START)).isEqualTo(loop);
    answers.accept(answer(1, 0, 4, MADE + SECOND), 1, MADE, START);
    assertThat(answers.retryAfter(link, 4, loop, START)).isEqualTo(loop);
    assertThat(answers.retryAfter(link, 5, loop, START)).isEqualTo(SECOND);
    assertThat(answers.retryAfter(link, 5, loop, START + SECOND - 1)).isEqualTo(loop);
    link.sent(START - SECOND);
    assertThat(answers.retryAfter(link, 5, loop, START)).as("enforcer away").isEqualTo(loop);
  }
}
