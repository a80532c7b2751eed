package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** This library's decision of a request: its rules are matched, and its quota keys looked up. */
public class DecideBenchmark {
  public static final String CONFIGURATION =
      "AdmissionClient.decide(request), sliding windows of 1 s, permits granted by the ledger on"
          + " leases of 1 h; layered: a key for each of 100,000 users, 1,000 tenants and 10 APIs;"
          + " throttled: 1 permit per 1 d; new key: opened; System.nanoTime";

  public static final String HASHED_CONFIGURATION =
      "as decide; the user is hashed by HMAC-SHA-256, keys of 32 bytes";

  private static final HashKey OLD = new HashKey("old", new byte[HashKey.MIN_BYTES]);
  private static final HashKey NEW = new HashKey("new", new byte[HashKey.MAX_BYTES]);
  private static final int USERS_PER_TENANT = 100;
  private static final int APIS = 10;
  private static final long PERMITS = 5_000_000;

  /** Requests of all users, and permits for all of them. */
  private abstract static class Many {
    final AdmissionClient client;
    final Request[] requests = new Request[Users.COUNT];

    Many(List<Rule> rules, IntFunction<Request> requestOf, HashKey... hashKeys) {
      for (int i = 0; i < requests.length; i++) {
        requests[i] = requestOf.apply(i);
      }
      client =
          GrantedPermits.client(rules, List.of(requests), PERMITS, HashKeys.of(List.of(hashKeys)));
    }
  }

  @State(Scope.Benchmark)
  public static class OneRule extends Many {
    public OneRule() {
      super(List.of(BenchRules.PER_USER), user -> ofUser(Users.name(user)));
    }
  }

  @State(Scope.Benchmark)
  public static class Hashed extends Many {
    public Hashed() {
      this(OLD);
    }

    Hashed(HashKey... keys) {
      super(List.of(BenchRules.PER_HASHED_USER), user -> ofHashedUser(Users.name(user)), keys);
    }
  }

  /** Two keys, as during a rotation. */
  @State(Scope.Benchmark)
  public static class Rotating extends Hashed {
    public Rotating() {
      super(OLD, NEW);
    }
  }

  @State(Scope.Benchmark)
  public static class ThreeRules extends Many {
    static final String[] TENANTS = names("tenant-%04d", Users.COUNT / USERS_PER_TENANT);
    static final String[] API_NAMES = names("POST /v1/resource-%02d", APIS);

    public ThreeRules() {
      super(BenchRules.LAYERED, ThreeRules::request);
    }

    static Request request(int user) {
      return Request.of(
          BenchRules.CASE,
          "layered",
          "user",
          Users.name(user),
          "tenant",
          TENANTS[user / USERS_PER_TENANT],
          "api",
          API_NAMES[user % APIS]);
    }
  }

  @State(Scope.Benchmark)
  public static class Spent {
    final Request request = Request.of(BenchRules.CASE, "spent");
    final AdmissionClient client =
        GrantedPermits.client(List.of(BenchRules.SPENT), List.of(request), 1);

    public Spent() {
      client.decide(request);
    }
  }

  @State(Scope.Benchmark)
  public static class NoKeys {
    final AdmissionClient client =
        GrantedPermits.client(List.of(BenchRules.PER_USER), new ArrayList<>(), 1);
  }

  @Benchmark
  public Decision oneRule(OneRule held, Users users, Tally tally) {
    return admitted(held.client.decide(ofUser(users.next())), tally);
  }

  @Benchmark
  public Decision oneRuleReused(OneRule held, Users users, Tally tally) {
    return admitted(held.client.decide(held.requests[users.nextIndex()]), tally);
  }

  @Benchmark
  public Decision hashed(Hashed held, Users users, Tally tally) {
    return admitted(held.client.decide(ofHashedUser(users.next())), tally);
  }

  @Benchmark
  public Decision hashedReused(Hashed held, Users users, Tally tally) {
    return admitted(held.client.decide(held.requests[users.nextIndex()]), tally);
  }

  @Benchmark
  public Decision rotating(Rotating held, Users users, Tally tally) {
    return admitted(held.client.decide(ofHashedUser(users.next())), tally);
  }

  @Benchmark
  public Decision threeRules(ThreeRules held, Users users, Tally tally) {
    return admitted(held.client.decide(ThreeRules.request(users.nextIndex())), tally);
  }

  @Benchmark
  public Decision threeRulesReused(ThreeRules held, Users users, Tally tally) {
    return admitted(held.client.decide(held.requests[users.nextIndex()]), tally);
  }

  /** No more is told than whether it is admitted. */
  @Benchmark
  public boolean threeRulesAcquired(ThreeRules held, Users users, Tally tally) {
    boolean admitted = held.client.tryAcquire(held.requests[users.nextIndex()]);
    tally.expectAdmitted(admitted);
    return admitted;
  }

  @Benchmark
  public Decision throttled(Spent spent, Tally tally) {
    Decision decision = spent.client.decide(spent.request);
    tally.expectThrottled(decision.admitted());
    return decision;
  }

  @Benchmark
  public Decision newKey(NoKeys none, NewUsers users, Tally tally) {
    return admitted(none.client.decide(ofUser(users.next())), tally);
  }

  private static Decision admitted(Decision decision, Tally tally) {
    tally.expectAdmitted(decision.admitted());
    return decision;
  }

  private static Request ofUser(String user) {
    return Request.of(BenchRules.CASE, "per-user", "user", user);
  }

  private static Request ofHashedUser(String user) {
    return Request.of(BenchRules.CASE, "per-hashed-user", "user", user);
  }

  private static String[] names(String format, int count) {
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = format.formatted(i);
    }
    return names;
  }
}
