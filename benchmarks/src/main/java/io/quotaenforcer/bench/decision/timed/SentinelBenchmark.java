package io.quotaenforcer.bench.decision.timed;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRuleManager;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Sentinel's entry of a resource with one rule, and its exit. It proposes parameter rules for many
 * values, and keeps 200,000 of them at most, if the rule's time is 50 s or more.
 */
public class SentinelBenchmark {
  public static final String CONFIGURATION =
      "SphU.entry(resource) and exit(), one FlowRule of 1e9 per second, throttled: 0; keys: one"
          + " ParamFlowRule on the first argument, 1,000,000,000 per 60 s, so that it keeps 200,000"
          + " values; default slot chain; no transport, no metric log, no record log, block log in"
          + " a temporary folder";

  private static final String RESOURCE = "bench";

  /** Sentinel says at its start how it logs, which would be a part of the command's report. */
  private abstract static class Quiet {
    Quiet() {
      System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }
  }

  @State(Scope.Benchmark)
  public static class One extends Quiet {
    public One() {
      FlowRuleManager.loadRules(List.of(perSecond(1e9)));
    }
  }

  @State(Scope.Benchmark)
  public static class Spent extends Quiet {
    public Spent() {
      FlowRuleManager.loadRules(List.of(perSecond(0)));
    }
  }

  @State(Scope.Benchmark)
  public static class New extends Quiet {
    public New() {
      ParamFlowRule rule = new ParamFlowRule(RESOURCE);
      rule.setParamIdx(0);
      rule.setGrade(RuleConstant.FLOW_GRADE_QPS);
      rule.setCount(1_000_000_000);
      rule.setDurationInSec(60);
      ParamFlowRuleManager.loadRules(List.of(rule));
    }
  }

  @State(Scope.Benchmark)
  public static class Many extends New {
    public Many() {
      for (int i = 0; i < Users.COUNT; i++) {
        enter(Users.name(i));
      }
    }
  }

  @Benchmark
  public boolean oneKey(One one, Tally tally) {
    return tally.expectAdmitted(enter());
  }

  @Benchmark
  public boolean manyKeys(Many many, Users users, Tally tally) {
    return tally.expectAdmitted(enter(users.next()));
  }

  @Benchmark
  public boolean throttled(Spent spent, Tally tally) {
    return tally.expectThrottled(enter());
  }

  @Benchmark
  public boolean newKey(New rule, NewUsers users, Tally tally) {
    return tally.expectAdmitted(enter(users.next()));
  }

  private static boolean enter() {
    try {
      Entry entry = SphU.entry(RESOURCE);
      entry.exit();
      return true;
    } catch (BlockException e) {
      return false;
    }
  }

  private static boolean enter(String user) {
    try {
      Entry entry = SphU.entry(RESOURCE, EntryType.OUT, 1, user);
      entry.exit(1, user);
      return true;
    } catch (BlockException e) {
      return false;
    }
  }

  private static FlowRule perSecond(double count) {
    FlowRule rule = new FlowRule(RESOURCE);
    rule.setGrade(RuleConstant.FLOW_GRADE_QPS);
    rule.setCount(count);
    return rule;
  }
}
