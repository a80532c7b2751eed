package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Passage;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A service whose requests take slots and never end. Prints {@code holds NUMBER} when it has all.
 */
public final class SlotHolder {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private SlotHolder() {}

  /** Arguments: bootstrap servers, tenant, number of slots. */
  public static void main(String[] arguments) throws InterruptedException {
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(arguments[0]).build()) {
      if (!client.awaitRules(TIMEOUT)) {
        throw new IllegalStateException("must have rules within " + TIMEOUT);
      }
      List<Passage> held = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        Passage passage = client.enter(Request.of("tenant", arguments[1]), TIMEOUT);
        if (!passage.entered()) {
          throw new IllegalStateException("must be let in: " + passage.decision());
        }
        held.add(passage);
      }
      System.out.println("holds " + held.size());
      Thread.currentThread().join();
    }
  }
}
