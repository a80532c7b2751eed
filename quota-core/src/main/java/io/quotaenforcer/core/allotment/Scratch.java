package io.quotaenforcer.core.allotment;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the keys of one decision at a time: a thread's own, kept for its next decision.
 * Virtual threads keep none, since there may be a million of them, most of which decide once.
 */
final class Scratch {
  /** {@link Thread}'s {@code isVirtual()}; null before Java 21. */
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtualHandle();

  private final ThreadLocal<MatchedKeys> ofThread = ThreadLocal.withInitial(MatchedKeys::new);

  /** For the calling thread's decision. */
  MatchedKeys take() {
    return isVirtual() ? new MatchedKeys() : ofThread.get();
  }

  private static boolean isVirtual() {
    MethodHandle handle = IS_VIRTUAL;
    if (handle == null) {
      return false;
    }
    try {
      return (boolean) handle.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException("must not throw: Thread.isVirtual", e);
    }
  }

  private static @Nullable MethodHandle isVirtualHandle() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
