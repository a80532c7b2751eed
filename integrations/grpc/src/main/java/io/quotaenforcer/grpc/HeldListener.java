package io.quotaenforcer.grpc;

import io.grpc.ServerCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds back what happens to a call until its handler has begun, and then passes it on: all of it,
 * in order, never two events at once.
 *
 * <p>gRPC calls it from one thread at a time; {@link #release} may be called by another.
 */
final class HeldListener<ReqT> extends ServerCall.Listener<ReqT> {
  private final Runnable onCancel;

  /** Guarded by itself. */
  private final Queue<Consumer<ServerCall.Listener<ReqT>>> held = new ArrayDeque<>();

  /** Null while events are held. */
  private volatile ServerCall.@Nullable Listener<ReqT> real;

  /**
   * @param onCancel run as soon as the call is cancelled
   */
  HeldListener(Runnable onCancel) {
    this.onCancel = onCancel;
  }

  /**
   * Passes on what was held, and from then on what comes. To be called once.
   *
   * @param onError told if an event fails; the others are still passed on
   */
  void release(ServerCall.Listener<ReqT> to, Consumer<Throwable> onError) {
    for (; ; ) {
      Consumer<ServerCall.Listener<ReqT>> next;
      synchronized (held) {
        next = held.poll();
        if (next == null) {
          real = to;
          return;
        }
      }
      try {
        next.accept(to);
      } catch (Throwable e) {
        onError.accept(e);
      }
    }
  }

  private void event(Consumer<ServerCall.Listener<ReqT>> event) {
    ServerCall.Listener<ReqT> to = real;
    if (to == null) {
      synchronized (held) {
        to = real;
        if (to == null) {
          held.add(event);
          return;
        }
      }
    }
    event.accept(to);
  }

  @Override
  public void onMessage(ReqT message) {
    event(listener -> listener.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    event(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    onCancel.run();
    event(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    event(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    event(ServerCall.Listener::onReady);
  }
}
