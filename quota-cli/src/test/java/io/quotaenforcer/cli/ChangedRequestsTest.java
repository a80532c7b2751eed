package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.ChangedRequests.Changed;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.operations.RequestChange;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of requests once their queue was told to cancel them. */
@Timeout(60)
class ChangedRequestsTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/7");
  private static final String NONE = "{\"requests\":[],\"partitions\":{}}";

  private FakeEnforcer enforcer;
  private final Topics topics = new Topics();

  /** Calls what a test does once the queues are told. */
  private static final class Topics implements QueueTopics {
    final List<Told> told = new ArrayList<>();
    final List<DeadLetter> letters = new ArrayList<>();
    Runnable onTold = () -> {};

    @Override
    public void tell(List<Told> all) {
      told.addAll(all);
      onTold.run();
    }

    @Override
    public List<DeadLetter> lettersSince() {
      return letters;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() throws Exception {
    enforcer = new FakeEnforcer(question -> waiting(question.contains("id=a") ? "a" : "b"));
  }

  @AfterEach
  void stop() {
    enforcer.close();
  }

  private static String waiting(String id) {
    return "{\"requests\":[{\"id\":\"%s\",\"quotaKey\":\"%s\",\"state\":\"waiting\"}],\"partitions\":{}}"
        .formatted(id, KEY);
  }

  private Changed cancelled(String... ids) throws InterruptedException {
    PartitionsSource source =
        new PartitionsSource(new EnforcerAddress(URI.create(enforcer.address()), "the test"));
    return new ChangedRequests(RequestChange.cancel("sent twice"), Duration.ZERO)
        .apply(List.of(ids), Optional.empty(), source, false, () -> topics);
  }

  private static DeadLetter letter(String id, String reason) {
    return new DeadLetter(
        new DeadLetter.Aside("0-1", 1, reason),
        new DeadLetter.Origin("quota.deferred", Optional.empty(), id, Optional.of(KEY)),
        new DeadLetter.Content(1, false));
  }

  @Test
  void requestThatIsGone_isCancelled_onlyIfADeadLetterSaysSo() throws Exception {
    topics.onTold = () -> enforcer.answers = question -> NONE;
    topics.letters.add(letter("a", "cancelled: sent twice"));
    topics.letters.add(letter("b", "deadline passed: it waited until 5"));

    Changed changed = cancelled("a", "b");

    assertThat(changed.outcomes())
        .isEqualTo(Map.of("a", "cancelled", "b", "gone: cancelled, or run meanwhile"));
    assertThat(changed.trouble()).isEmpty();
    assertThat(topics.told)
        .containsExactly(
            new QueueTopics.Told(KEY, new Cancel("a", KEY, "sent twice")),
            new QueueTopics.Told(KEY, new Cancel("b", KEY, "sent twice")));
  }

  @Test
  void enforcerThatIsAwayAfterwards_leavesWhatIsAskedFor_withAWarning() throws Exception {
    topics.onTold = enforcer::close;

    Changed changed = cancelled("a");

    assertThat(changed.outcomes()).isEqualTo(Map.of("a", "asked for"));
    assertThat(changed.trouble())
        .hasValueSatisfying(why -> assertThat(why).contains("cannot reach an enforcer"));
  }

  @Test
  void requestThatWaitsStill_isAskedFor() throws Exception {
    assertThat(cancelled("a").outcomes()).isEqualTo(Map.of("a", "asked for"));
    assertThat(cancelled("a").trouble()).isEmpty();
  }
}
