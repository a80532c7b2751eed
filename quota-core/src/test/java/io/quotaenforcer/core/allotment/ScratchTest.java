package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class ScratchTest {
  private final Scratch scratch = new Scratch();

  @Test
  void thread_hasOneForAllItsDecisions() throws InterruptedException {
    List<MatchedKeys> taken = takenTwiceBy(Thread::new);
    assertThat(taken.get(0)).isSameAs(taken.get(1));
  }

  @Test
  void virtualThread_keepsNone() throws InterruptedException {
    List<MatchedKeys> taken = takenTwiceBy(VirtualThreads.factory());
    assertThat(taken.get(0)).isNotSameAs(taken.get(1));
  }

  private List<MatchedKeys> takenTwiceBy(ThreadFactory threads) throws InterruptedException {
    List<MatchedKeys> taken = new ArrayList<>();
    Thread thread =
        threads.newThread(
            () -> {
              taken.add(scratch.take());
              taken.add(scratch.take());
            });
    thread.start();
    thread.join();
    return taken;
  }
}
