package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.kafka.PendingDecisions.Wait;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that wait for slots, each of which is let in as one comes back. */
class PendingSlotsTest extends PendingKit {
  private static final int MANY = 30_000;
  private static final int LOOKED_AT = 100;

  /** Frames of a test, and of one request that is served. */
  private static final long SHALLOW = 300;

  private static final Rule OF_USER = slots("of-user", List.of("user"));
  private static final Rule OF_SERVICE = slots("of-service", List.of());

  private final List<Integer> served = new ArrayList<>();
  private long deepest;
  private final PendingDecisions many =
      new PendingDecisions(
          book, () -> this.now, handOver, PendingDecisions.Limits.NONE, () -> this.kafkaAway);

  private static Rule slots(String id, List<String> key) {
    return Rule.of(new RuleId("posts", id), key, new ConcurrencyLimit(5, 10_000 * MILLI))
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }

  @BeforeEach
  void serves() {
    book.whenReleased(many::released);
  }

  /** A request of which nobody says when it ends: it gives its slot back once it is decided. */
  private CompletableFuture<Decision> asks(int number) {
    CompletableFuture<Decision> decision = many.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now);
    var unused = decision.thenRun(() -> served(number));
    return decision;
  }

  private void served(int number) {
    served.add(number);
    if (number % LOOKED_AT == 0) {
      deepest = Math.max(deepest, StackWalker.getInstance().walk(Stream::count));
    }
  }

  private CompletableFuture<Charge> enters() {
    return many.charge(
        new WaitingRequest(REQUEST, now), new Wait(MAX_WAIT, HandOver.AT_ONCE), it -> it, now);
  }

  private void grants(Rule rule, long slots) {
    QuotaAnswer answer =
        new QuotaAnswer(
            rule.quotaKey(REQUEST).orElseThrow(),
            rule.generation(),
            rule.limit().permits(),
            0,
            0,
            now,
            0,
            0,
            DeclaredBound.NOTHING,
            false,
            List.of(new CellGrant(now + ++cells, 0, slots, 0, now + 2_000 * MILLI)),
            List.of());
    QuotaSnapshot snapshot = new QuotaSnapshot("a", 1, 0, now, now, List.of(answer));
    book.applySnapshot(snapshot, now);
    many.answered(snapshot, now);
  }

  private List<CompletableFuture<Decision>> ask(int requests) {
    return IntStream.range(0, requests).mapToObj(this::asks).toList();
  }

  private void areAllServedInOrder(List<CompletableFuture<Decision>> decisions) {
    assertThat(decisions).allMatch(it -> it.isDone() && it.join().admitted());
    assertThat(served).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    assertThat(deepest).as("frames on the stack").isBetween(1L, SHALLOW);
  }

  @Test
  void manyRequests_thatHoldASlotOnlyAsTheyAreDecided_areAllServedByTheFirst_inOrder() {
    book.applyRules(RuleSet.of(List.of(OF_USER)), now);
    List<CompletableFuture<Decision>> decisions = ask(MANY);
    book.reports(now);

    grants(OF_USER, 1);

    areAllServedInOrder(decisions);
    assertThat(many.waiting()).isZero();
  }

  @Test
  void manyRequests_areAllServed_whenTheOneThatHasTheSlotEnds() {
    book.applyRules(RuleSet.of(List.of(OF_USER)), now);
    CompletableFuture<Charge> running = enters();
    book.reports(now);
    grants(OF_USER, 1);
    Charge charge = running.join();
    List<CompletableFuture<Decision>> decisions = ask(MANY);
    assertThat(decisions).noneMatch(CompletableFuture::isDone);

    charge.settle(1, now);

    areAllServedInOrder(decisions);
  }

  /** Each gives a slot of either rule back, and those who wait for the one wait for the other. */
  @Test
  void manyRequests_thatNeedSlotsOfTwoRules_areAllServed_inOrder() {
    book.applyRules(RuleSet.of(List.of(OF_USER, OF_SERVICE)), now);
    List<CompletableFuture<Decision>> decisions = ask(MANY);
    book.reports(now);

    grants(OF_USER, 1);
    assertThat(decisions).noneMatch(CompletableFuture::isDone);
    book.reports(now);
    grants(OF_SERVICE, 1);

    areAllServedInOrder(decisions);
  }

  @Test
  void requestThatGoesOn_keepsItsSlot_andThoseBehindItWait() {
    book.applyRules(RuleSet.of(List.of(OF_USER)), now);
    List<CompletableFuture<Decision>> before = ask(3);
    CompletableFuture<Charge> running = enters();
    List<CompletableFuture<Decision>> behind = List.of(asks(3), asks(4));
    book.reports(now);

    grants(OF_USER, 1);

    assertThat(before).allMatch(CompletableFuture::isDone);
    assertThat(running).isDone();
    assertThat(behind).noneMatch(CompletableFuture::isDone);
    running.join().settle(1, now);
    assertThat(served).containsExactly(0, 1, 2, 3, 4);
  }
}
