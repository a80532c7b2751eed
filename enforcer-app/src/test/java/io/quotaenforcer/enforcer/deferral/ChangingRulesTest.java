package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.MemoryStores;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Another thread puts rules in force at any moment: each look may find others. */
class ChangingRulesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("test", "deferring");

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final MemoryStores stores = new MemoryStores(new MockProcessorContext<>());
  private final Ledger ledger = new Ledger(LedgerSettings.defaults(10));
  private final Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
  private final OpenBox box = new OpenBox();
  private final List<Replay> released = new ArrayList<>();
  private final List<DeferralAnswer> answers = new ArrayList<>();
  private Rule inForce = base();
  private long nanos = 1_767_225_600L * SECOND;
  private long commits;

  private static Rule base() {
    return Rule.of(ID, List.of("user"), new FixedWindow(10, SECOND))
        .withEnforcement(Enforcement.STRICT)
        .withOverLimit(Defer.DEFAULTS)
        .withVersion(1, 1);
  }

  /** A rule that may be in force at the next look; null for none at all. */
  private static @Nullable Rule variant(int number) {
    Rule base = base();
    return switch (number) {
      case 0 -> null;
      case 1 -> base.withOverLimit(OverLimit.THROTTLE).withVersion(2, 1);
      case 2 -> base.withLimit(new TokenBucket(10, SECOND, 5)).withVersion(3, 2);
      case 3 ->
          base.withKey(RuleKey.of(List.of("user", "ip")))
              .withOverrides(
                  List.of(
                      new RuleOverride(
                          Map.of("ip", Matcher.ofText("a*b")), new OverrideEffect.Denied())))
              .withVersion(4, 3);
      default -> base;
    };
  }

  @Test
  void rules_changeWithEachLook_stopNothing() {
    Seeded.checkSeed(
        Long.getLong("seed", System.nanoTime()),
        random -> {
          DeferralSettings settings =
              TopologySettings.defaults(1, LedgerSettings.defaults(10), () -> nanos).deferral();
          try (DeferralQueues queues =
              new DeferralQueues(
                  wire,
                  () -> {
                    Rule now = variant(random.nextInt(8));
                    return now == null ? RuleSet.empty() : RuleSet.of(List.of(now));
                  },
                  settings,
                  new DeferralQueues.QueuePartition(
                      0,
                      7,
                      stores.keyValue("queues"),
                      stores.keyValue("requests"),
                      stores.ids("ids")),
                  box,
                  new LedgerOutput())) {
            for (int i = 0; i < 3_000; i++) {
              DeferralInput input = request("r" + i, "u" + i % 7);
              queues.take(input, wire.encode(input), false);
              Rule next = variant(random.nextInt(8));
              inForce = next == null || next.key().attributes().size() > 1 ? inForce : next;
              commits++;
              nanos += SECOND / 50;
              queues.tick();
              queues.lookAround();
            }
          }
          assertThat(answers).isNotEmpty();
          assertThat(released).isNotEmpty();
        });
  }

  private static DeferralInput request(String id, String user) {
    return new DeferralInput.DeferredRequest(
        id,
        QuotaKey.of(ID, List.of(user)),
        Request.of("user", user),
        Payload.of(new byte[] {1}),
        Map.of(),
        Priority.NORMAL,
        0,
        0,
        new ReplyTo("service", 1, 0));
  }

  /** Answers reports as a ledger that knows one rule. */
  private final class LedgerOutput implements DeferralOutput {
    @Override
    public void release(Replay replay) {
      released.add(replay);
    }

    @Override
    public void report(UsageReport report) {
      List<QuotaAnswer> found = new ArrayList<>();
      Tenure tenure = Tenure.first(commits);
      for (QuotaUsage usage : report.quotas()) {
        if (usage.quotaKey().values().size() != 1) {
          continue;
        }
        KeyLedger known =
            ledgers.computeIfAbsent(
                usage.quotaKey(), key -> ledger.open(inForce, inForce.limitOf(key), tenure, nanos));
        LedgerOutcome outcome = ledger.apply(known, inForce, report, usage, tenure, nanos);
        ledgers.put(usage.quotaKey(), outcome.ledger());
        outcome.answer().ifPresent(found::add);
      }
      QuotaSnapshot snapshot =
          new QuotaSnapshot(report.instance(), report.epoch(), 0, report.sentNanos(), nanos, found);
      box.add(wire.encode(snapshot), nanos);
    }

    @Override
    public void deadLetter(String id, String quotaKey, byte[] request, String reason) {}

    @Override
    public void answer(ReplyTo to, DeferralAnswer answer) {
      answers.add(answer);
    }

    @Override
    public long commits() {
      return commits;
    }
  }
}
