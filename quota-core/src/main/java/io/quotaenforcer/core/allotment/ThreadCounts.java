package io.quotaenforcer.core.allotment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Sums that threads add to, each in a place of its own: one thread owns a place, and adds without
 * an atomic operation, since nobody else writes its words there. Threads that meet at a place of
 * another one add beside its sums, atomically, until the owner has ended: then one of them follows
 * it. So nothing is lost, and the owner may be any thread, for as long as it likes (the idea is
 * that of biased locking).
 *
 * <p>Any thread may call everything. A sum that is read while threads add holds what was added
 * before, and some of the rest.
 */
final class ThreadCounts {
  /** Permits that are added beside an owner between two looks at whether it has ended. */
  private static final long LOOK_EVERY = 256;

  /** Two cache lines, since processors fetch them in pairs. */
  private static final int WORDS_APART = 16;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle OWNER = MethodHandles.arrayElementVarHandle(WeakReference[].class);

  private final int places;
  private final int apart;

  /** Of each place the owner's words, and then those of others. */
  private final long[] words;

  private final @Nullable WeakReference<Thread>[] owners;

  /**
   * @param places a power of two
   */
  @SuppressWarnings("unchecked") // an array of a generic type
  ThreadCounts(int sums, int places) {
    this.places = places;
    this.apart = (sums + WORDS_APART - 1) / WORDS_APART * WORDS_APART;
    this.words = new long[(2 * places + 1) * apart];
    this.owners = new WeakReference[places];
  }

  void add(int sum, long some) {
    Thread thread = Thread.currentThread();
    int place = (int) thread.getId() & (places - 1);
    WeakReference<Thread> owner = owner(place);
    if (owner != null && owner.refersTo(thread)) {
      int index = owners(place) + sum;
      WORD.setRelease(words, index, words[index] + some);
    } else {
      addBeside(owner, place, sum, some);
    }
  }

  private void addBeside(@Nullable WeakReference<Thread> owner, int place, int sum, long some) {
    long before = (long) WORD.getAndAdd(words, others(place) + sum, some);
    boolean isLookDue = before / LOOK_EVERY != (before + some) / LOOK_EVERY;
    if (owner == null || (isLookDue && hasEnded(owner))) {
      OWNER.compareAndSet(owners, place, owner, new WeakReference<>(Thread.currentThread()));
    }
  }

  /** Whoever sees that a thread has ended sees all that it wrote. */
  private static boolean hasEnded(WeakReference<Thread> owner) {
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  long get(int sum) {
    long all = 0;
    for (int place = 0; place < places; place++) {
      all += (long) WORD.getVolatile(words, owners(place) + sum);
      all += (long) WORD.getVolatile(words, others(place) + sum);
    }
    return all;
  }

  @SuppressWarnings("unchecked") // of its own array
  private @Nullable WeakReference<Thread> owner(int place) {
    return (WeakReference<Thread>) OWNER.getVolatile(owners, place);
  }

  private int owners(int place) {
    return (2 * place + 1) * apart;
  }

  private int others(int place) {
    return owners(place) + apart;
  }
}
