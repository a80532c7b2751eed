package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A decision by a rule that hashes the user, with one key, and with two as in a rotation. */
public class HashedBenchmark {
  public static final String CONFIGURATION =
      "as decide; the user is hashed by HMAC-SHA-256, keys of 32 bytes";

  private static final HashKey OLD = new HashKey("old", new byte[HashKey.MIN_BYTES]);
  private static final HashKey NEW = new HashKey("new", new byte[HashKey.MAX_BYTES]);
  private static final long PERMITS = 5_000_000;

  /** Requests of all users, and permits for all of them. */
  private abstract static class Many {
    final AdmissionClient client;
    final Request[] requests = new Request[Users.COUNT];

    Many(HashKeys keys) {
      for (int i = 0; i < requests.length; i++) {
        requests[i] = request(Users.name(i));
      }
      client =
          GrantedPermits.client(
              List.of(BenchRules.PER_HASHED_USER), List.of(requests), PERMITS, keys);
    }
  }

  @State(Scope.Benchmark)
  public static class OneKey extends Many {
    public OneKey() {
      super(HashKeys.of(List.of(OLD)));
    }
  }

  @State(Scope.Benchmark)
  public static class TwoKeys extends Many {
    public TwoKeys() {
      super(HashKeys.of(List.of(OLD, NEW)));
    }
  }

  @Benchmark
  public Decision oneRule(OneKey held, Users users, Tally tally) {
    return admitted(held.client.decide(request(users.next())), tally);
  }

  @Benchmark
  public Decision oneRuleReused(OneKey held, Users users, Tally tally) {
    return admitted(held.client.decide(held.requests[users.nextIndex()]), tally);
  }

  @Benchmark
  public Decision rotating(TwoKeys held, Users users, Tally tally) {
    return admitted(held.client.decide(request(users.next())), tally);
  }

  private static Decision admitted(Decision decision, Tally tally) {
    tally.expectAdmitted(decision.admitted());
    return decision;
  }

  private static Request request(String user) {
    return Request.of(BenchRules.CASE, "per-hashed-user", "user", user);
  }
}
