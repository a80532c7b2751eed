package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A service that has just started and has one user, whom a strict rule limits. Prints {@code rules
 * MILLIS} when it has the rules and {@code granted MILLIS} when the user is first admitted, both
 * since its start.
 */
public final class FirstGrantService {
  private static final Duration RULES_TIMEOUT = Duration.ofMinutes(2);

  /** As long as a caller of a service might wait; the next request then comes at once. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private FirstGrantService() {}

  /** Arguments: bootstrap servers, prefix of the topics, domain, attribute, its value. */
  public static void main(String[] arguments) throws InterruptedException {
    long start = System.nanoTime();
    try (AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers(arguments[0])
            .property("topic.prefix", arguments[1])
            .domains(arguments[2])
            .build()) {
      if (!client.awaitRules(RULES_TIMEOUT)) {
        throw new IllegalStateException("must have rules within " + RULES_TIMEOUT);
      }
      say("rules", start);
      Request request = Request.of(arguments[3], arguments[4]);
      while (!client.decide(request, PATIENCE).admitted()) {
        // The next request of the same user.
      }
      say("granted", start);
    }
  }

  private static void say(String what, long start) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    System.out.println(what + " " + millis);
  }
}
