package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.message.Replay;
import java.util.concurrent.CompletableFuture;

/** Whether replays are acknowledged, which the enforcer knows also where their group does not. */
@FunctionalInterface
public interface Acknowledgements {

  /**
   * Asks about a replay until there is an answer, however long that takes. No thread waits.
   *
   * @return true if it must not be handled again; who does not want to know any more cancels it
   */
  CompletableFuture<Boolean> ask(Replay replay);
}
