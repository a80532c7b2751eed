package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldListenerTest {
  private static final int ROUNDS = 2_000;

  /** Notes what it hears, and whether two events came at once. */
  private static class Noted extends ServerCall.Listener<Integer> {
    // Not safe for use by several threads: that is what is tested.
    final List<String> heard = new ArrayList<>();
    final AtomicBoolean busy = new AtomicBoolean();
    volatile boolean overlapped;

    private void note(String event) {
      overlapped |= !busy.compareAndSet(false, true);
      heard.add(event);
      busy.set(false);
    }

    @Override
    public void onMessage(Integer message) {
      note("message " + message);
    }

    @Override
    public void onHalfClose() {
      note("half-close");
    }

    @Override
    public void onCancel() {
      note("cancel");
    }

    @Override
    public void onComplete() {
      note("complete");
    }

    @Override
    public void onReady() {
      note("ready");
    }
  }

  @Test
  void events_releasedAtAnyMoment_areAllPassedOnInOrderAndOneByOne() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      Noted real = new Noted();
      HeldListener<Integer> held = new HeldListener<>(() -> {});
      CyclicBarrier start = new CyclicBarrier(2);
      int before = random.nextInt(4);
      int spin = random.nextInt(300);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < before; i++) {
        held.onMessage(-i);
        expected.add("message " + -i);
      }
      Thread releasing =
          new Thread(
              () -> {
                await(start);
                for (int i = 0; i < spin; i++) {
                  Thread.onSpinWait();
                }
                held.release(real, e -> {});
              });
      releasing.start();
      await(start);
      for (int i = 1; i <= 20; i++) {
        held.onReady();
        held.onMessage(i);
        expected.addAll(List.of("ready", "message " + i));
      }
      held.onHalfClose();
      held.onComplete();
      expected.addAll(List.of("half-close", "complete"));
      releasing.join();

      assertThat(real.heard).as("round %d", round).isEqualTo(expected);
      assertThat(real.overlapped).isFalse();
    }
  }

  @Test
  void event_thatFails_doesNotKeepTheOthersBack() {
    Noted real =
        new Noted() {
          @Override
          public void onHalfClose() {
            throw new IllegalStateException("broken");
          }
        };
    HeldListener<Integer> held = new HeldListener<>(() -> {});
    List<Throwable> errors = new ArrayList<>();
    held.onHalfClose();
    held.onComplete();

    held.release(real, errors::add);

    assertThat(real.heard).containsExactly("complete");
    assertThat(errors).singleElement().asString().contains("broken");
  }

  @Test
  void event_insideAnEvent_comesAfterIt() {
    HeldListener<Integer> held = new HeldListener<>(() -> {});
    Noted real =
        new Noted() {
          @Override
          public void onReady() {
            held.onMessage(1);
            super.onReady();
          }
        };
    held.onReady();

    held.release(real, e -> {});

    assertThat(real.heard).containsExactly("ready", "message 1");
  }

  @Test
  void cancel_isToldAtOnceAndPassedOn() {
    AtomicBoolean told = new AtomicBoolean();
    HeldListener<Integer> held = new HeldListener<>(() -> told.set(true));
    Noted real = new Noted();

    held.onCancel();
    assertThat(told).isTrue();
    held.release(real, e -> {});

    assertThat(real.heard).containsExactly("cancel");
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
