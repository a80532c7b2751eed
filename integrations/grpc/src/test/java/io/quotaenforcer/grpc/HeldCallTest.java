package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.quotaenforcer.core.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a caller did with a call before it was decided. */
class HeldCallTest {
  private final List<String> done = new ArrayList<>();
  private final CompletableFuture<Decision> decision = new CompletableFuture<>();
  private final HeldCall<String, String> call =
      new HeldCall<>(
          headers ->
              new Answer.Later(
                  new Waiting(decision, (made, failure) -> new Answer.Go(), Runnable::run)),
          Unlinked::new,
          Runnable::run);

  /** A call of which a message ends in an Error. */
  private final class Unlinked extends ClientCall<String, String> {
    @Override
    public void start(Listener<String> listener, Metadata headers) {
      done.add("start");
    }

    @Override
    public void request(int messages) {
      done.add("request " + messages);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      done.add("cancel " + cause);
    }

    @Override
    public void halfClose() {
      done.add("half-close");
    }

    @Override
    public void sendMessage(String message) {
      throw new NoClassDefFoundError(message);
    }
  }

  @Test
  void action_thatEndsInAnError_cancelsTheCall_andTheRestIsDone() {
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.request(1);
    call.sendMessage("Message");
    call.halfClose();
    assertThat(done).isEmpty();

    decision.complete(new Decision.Unmatched());

    assertThat(done)
        .containsExactly(
            "start", "request 1", "cancel java.lang.NoClassDefFoundError: Message", "half-close");
  }
}
