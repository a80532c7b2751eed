package io.quotaenforcer.grpc;

import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that is decided when it starts. What the caller does with it meanwhile is held, and done
 * in order once it is admitted. Before that, the channel knows nothing of it.
 */
final class HeldCall<ReqT, RespT> extends ClientCall<ReqT, RespT> {
  private final Function<Metadata, Answer> decider;
  private final Supplier<ClientCall<ReqT, RespT>> channel;
  private final Executor callbacks;
  private final Context context = Context.current();

  /** The caller's actions so far. Guarded by itself, as are the two below. */
  private final Queue<Consumer<ClientCall<ReqT, RespT>>> held = new ArrayDeque<>();

  private Consumer<Status> endOfWait = status -> {};
  private @Nullable Status cancelled;

  /** Null while what the caller does is held. Set under {@code held}. */
  private volatile @Nullable ClientCall<ReqT, RespT> real;

  /** Held while the channel's call starts, which cannot say before whether it is ready. */
  private final Object starting = new Object();

  /** The channel's call once it has started after a wait. Guarded by {@code starting}. */
  private @Nullable ClientCall<ReqT, RespT> started;

  /**
   * @param decider decides the call by its headers
   * @param channel makes the call that is sent
   * @param callbacks tells the caller's listener of a call that is never sent
   */
  HeldCall(
      Function<Metadata, Answer> decider,
      Supplier<ClientCall<ReqT, RespT>> channel,
      Executor callbacks) {
    this.decider = decider;
    this.channel = channel;
    this.callbacks = callbacks;
  }

  @Override
  public void start(Listener<RespT> listener, Metadata headers) {
    Answer answer = isCancelled() ? new Answer.Go() : decider.apply(headers);
    if (answer instanceof Answer.Later later) {
      await(later.waiting(), listener, headers);
    } else if (answer instanceof Answer.Refused refused) {
      end(listener, refused.status(), refused.trailers());
    } else {
      ClientCall<ReqT, RespT> call = channel.get();
      release(call);
      call.start(listener, headers);
    }
  }

  private boolean isCancelled() {
    synchronized (held) {
      return cancelled != null || context.isCancelled();
    }
  }

  private void await(Waiting waiting, Listener<RespT> listener, Metadata headers) {
    Consumer<Status> giveUp =
        status -> {
          if (waiting.giveUp()) {
            end(listener, status, new Metadata());
          }
        };
    Status already;
    synchronized (held) {
      endOfWait = giveUp;
      already = cancelled;
    }
    if (already != null) {
      giveUp.accept(already);
    }
    Context.CancellationListener onCancel = ended -> giveUp.accept(statusOf(ended));
    context.addListener(onCancel, Runnable::run);
    waiting.then(
        answer -> {
          context.removeListener(onCancel);
          context.run(() -> goOn(answer, listener, headers));
        },
        () -> context.removeListener(onCancel));
  }

  private void goOn(Answer answer, Listener<RespT> listener, Metadata headers) {
    if (answer instanceof Answer.Refused refused) {
      end(listener, refused.status(), refused.trailers());
      return;
    }
    ClientCall<ReqT, RespT> call;
    try {
      call = channel.get();
      synchronized (starting) {
        call.start(listener, headers);
        started = call;
      }
    } catch (Throwable e) {
      end(listener, Status.fromThrowable(e), new Metadata());
      return;
    }
    release(call);
  }

  /** Does what was held, and from then on what comes. */
  private void release(ClientCall<ReqT, RespT> call) {
    for (; ; ) {
      Consumer<ClientCall<ReqT, RespT>> next;
      synchronized (held) {
        next = held.poll();
        if (next == null) {
          real = call;
          return;
        }
      }
      try {
        next.accept(call);
      } catch (RuntimeException | Error e) {
        // Errors, too: nobody else passes on the rest, and ends the call.
        call.cancel("must be possible once the call has started", e);
      }
    }
  }

  /** Tells the listener of the end, in its own thread as a call of the channel does. */
  private void end(Listener<RespT> listener, Status status, Metadata trailers) {
    synchronized (held) {
      if (real != null) {
        return;
      }
      real = new EndedCall<>();
      held.clear();
    }
    Waiting.run(callbacks, context.wrap(() -> listener.onClose(status, trailers)));
  }

  private static Status statusOf(Context ended) {
    Throwable cause = ended.cancellationCause();
    return cause instanceof TimeoutException
        ? Status.DEADLINE_EXCEEDED.withDescription("while it waited for permits").withCause(cause)
        : Status.CANCELLED.withDescription("the context was cancelled").withCause(cause);
  }

  private void act(Consumer<ClientCall<ReqT, RespT>> action) {
    ClientCall<ReqT, RespT> call = real;
    if (call == null) {
      synchronized (held) {
        call = real;
        if (call == null) {
          held.add(action);
          return;
        }
      }
    }
    action.accept(call);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Consumer<Status> giveUp;
    Status status = Status.CANCELLED.withDescription(message).withCause(cause);
    synchronized (held) {
      cancelled = cancelled == null ? status : cancelled;
      giveUp = endOfWait;
    }
    giveUp.accept(status);
    act(call -> call.cancel(message, cause));
  }

  @Override
  public void request(int messages) {
    act(call -> call.request(messages));
  }

  @Override
  public void halfClose() {
    act(ClientCall::halfClose);
  }

  @Override
  public void sendMessage(ReqT message) {
    act(call -> call.sendMessage(message));
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    act(call -> call.setMessageCompression(enabled));
  }

  @Override
  public boolean isReady() {
    ClientCall<ReqT, RespT> call = known();
    return call != null && call.isReady();
  }

  @Override
  public Attributes getAttributes() {
    ClientCall<ReqT, RespT> call = known();
    return call == null ? Attributes.EMPTY : call.getAttributes();
  }

  private @Nullable ClientCall<ReqT, RespT> known() {
    ClientCall<ReqT, RespT> call = real;
    if (call != null) {
      return call;
    }
    synchronized (starting) {
      return started;
    }
  }

  /** A call that has ended. */
  private static final class EndedCall<ReqT, RespT> extends ClientCall<ReqT, RespT> {
    @Override
    public void start(Listener<RespT> listener, Metadata headers) {}

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(ReqT message) {}

    @Override
    public boolean isReady() {
      return false;
    }
  }
}
