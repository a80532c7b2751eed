package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.client.internal.kafka.DeferralWriter.Written;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReplayQuestionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/42");

  private final List<DeferralWriter.Item> outbox = new ArrayList<>();
  private final ReplayQuestions questions =
      new ReplayQuestions(new Identity("i", 7), outbox::add, new Clocks(() -> 0, () -> 0));

  @Test
  void replay_isAcknowledged_unlessTheEnforcerStillWaitsForIt() {
    CompletableFuture<Boolean> first = questions.ask(replay(4));
    CompletableFuture<Boolean> second = questions.ask(replay(8));
    assertThat(outbox.get(1).input(4))
        .contains(new Inquiry("x", KEY, 3, new ReplyTo("i", 7, 3), 8));

    questions.answered(answer(Verdict.ACCEPTED, 8));
    assertThat(second).isCompletedWithValue(false);
    assertThat(first).isNotDone();
    questions.answered(answer(Verdict.UNKNOWN, 4));

    assertThat(first).isCompletedWithValue(true);
  }

  /** It speaks of the request, whichever of its releases is asked about. */
  @Test
  void enforcerOfAnOlderVersion_thatForgotTheRequest_hasSeenEveryReleaseAcknowledged() {
    CompletableFuture<Boolean> first = questions.ask(replay(4));
    CompletableFuture<Boolean> second = questions.ask(replay(8));

    questions.answered(answer(Verdict.UNKNOWN, 0));

    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void answerAboutAnother_changesNothing() {
    CompletableFuture<Boolean> question = questions.ask(replay(4));

    questions.answered(answer(Verdict.UNKNOWN, 5));
    questions.answered(
        new DeferralAnswer("i", 7, "x", "posts/per-user/43", Verdict.UNKNOWN, "", 0, 0, 4));

    assertThat(question).isNotDone();
  }

  @Test
  void question_withoutAnswer_isWrittenAgainEverLater_butNotWhileItWaitsToBeWritten() {
    questions.ask(replay(4));
    questions.tick(SECOND);
    assertThat(outbox).hasSize(1);
    outbox.get(0).outcome(Written.YES, null);

    questions.tick(2 * SECOND);
    assertThat(outbox).hasSize(1);
    questions.tick(3 * SECOND);
    assertThat(outbox).hasSize(2);

    long now = 3 * SECOND;
    for (int i = 0; i < 10; i++) {
      outbox.get(outbox.size() - 1).outcome(Written.UNKNOWN, new IllegalStateException());
      now += ReplayQuestions.LONGEST_PAUSE_NANOS;
      questions.tick(now);
    }
    assertThat(outbox).hasSize(12);
  }

  @Test
  void question_thatIsCancelled_isNotWrittenAnyMore() {
    questions.ask(replay(4)).cancel(false);
    questions.tick(SECOND);

    assertThat(outbox).hasSize(1);
    assertThat(outbox.get(0).input(4)).isEmpty();
  }

  private static DeferralAnswer answer(Verdict verdict, long release) {
    return new DeferralAnswer("i", 7, "x", KEY.toString(), verdict, "", 0, 0, release);
  }

  private static Replay replay(long release) {
    return new Replay(
        "x",
        KEY,
        Request.of("user", "42"),
        Payload.EMPTY,
        Map.of(),
        Priority.NORMAL,
        3,
        0,
        List.of(KEY),
        1,
        0,
        1,
        release);
  }
}
