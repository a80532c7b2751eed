package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Passage;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An instance whose requests take all slots and never end, until this is killed. Says when it has
 * them. Argument: the Kafka to connect to.
 */
final class SlotHolderMain {
  static final String HOLDS = "holds all";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private SlotHolderMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(arguments[0]).instance("gone").build()) {
      if (!client.awaitRules(TIMEOUT)) {
        throw new IllegalStateException("an instance has no rules after " + TIMEOUT);
      }
      List<Passage> held = new ArrayList<>();
      while (held.size() < SlotLoad.SLOTS) {
        Passage passage = client.enter(SlotLoad.request(), TIMEOUT);
        if (!passage.entered()) {
          throw new IllegalStateException("must be let in: " + passage.decision());
        }
        held.add(passage);
      }
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)
          .println(HOLDS);
      Thread.currentThread().join();
    }
  }
}
