package io.quotaenforcer.grpc;

import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/** Observes the answer of a call. */
final class Observed implements StreamObserver<String> {
  private final Runnable onAnswer;
  private final Consumer<Throwable> onError;
  private final Runnable onEnd;

  private Observed(Runnable onAnswer, Consumer<Throwable> onError, Runnable onEnd) {
    this.onAnswer = onAnswer;
    this.onError = onError;
    this.onEnd = onEnd;
  }

  /**
   * @param onEnd run in the end, also after an error
   */
  static Observed of(Runnable onAnswer, Consumer<Throwable> onError, Runnable onEnd) {
    return new Observed(onAnswer, onError, onEnd);
  }

  @Override
  public void onNext(String message) {
    onAnswer.run();
  }

  @Override
  public void onError(Throwable cause) {
    try {
      onError.accept(cause);
    } finally {
      onEnd.run();
    }
  }

  @Override
  public void onCompleted() {
    onEnd.run();
  }
}
