package io.quotaenforcer.simulation;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The clients of the instances: their requests come at random times. */
final class Clients {
  private final Timeline time;
  private final IntFunction<SimulatedInstance> instances;
  private final Supplier<Rule> rule;
  private final SplittableRandom random;

  /** Apart, so that the runs of rules without classes stay what they were. */
  private final SplittableRandom classRandom;

  /** Requests come only in the first {@code on} of every {@code on + off}. */
  record Rhythm(long on, long off) {}

  Clients(
      Timeline time,
      IntFunction<SimulatedInstance> instances,
      Supplier<Rule> rule,
      SplittableRandom random,
      SplittableRandom classRandom) {
    this.time = time;
    this.instances = instances;
    this.rule = rule;
    this.random = random;
    this.classRandom = classRandom;
  }

  void bursts(int instance, Request request, double perSecond, Rhythm rhythm, long until) {
    long next = next(perSecond);
    if (next < until) {
      time.at(
          next,
          () -> {
            if ((time.now() - LoopSimulation.START) % (rhythm.on + rhythm.off) < rhythm.on) {
              instances.apply(instance).request(ofAnyClass(request));
            }
            bursts(instance, request, perSecond, rhythm, until);
          });
    }
  }

  /** Requests at once. */
  void burst(int instance, String user, int requests, long at) {
    Request request = Request.of("user", user);
    time.at(
        at,
        () -> {
          for (int i = 0; i < requests; i++) {
            instances.apply(instance).request(request);
          }
        });
  }

  void reservations(
      int instance, String user, double perSecond, LoopSimulation.Estimated each, long until) {
    long next = next(perSecond);
    if (next < until) {
      time.at(
          next,
          () -> {
            Request request = Request.of("user", user).withCost(each.estimate());
            long cost = random.nextLong(each.leastActual(), each.mostActual() + 1);
            instances.apply(instance).reserve(request, cost, random.nextLong(each.longestNanos()));
            reservations(instance, user, perSecond, each, until);
          });
    }
  }

  /** Requests that hold slots until they end. */
  void passages(int instance, String user, LoopSimulation.Passing each, long until) {
    long next = time.now() + exponential(1e9 / each.perSecond());
    if (next < until) {
      time.at(
          next,
          () -> {
            Request request =
                Request.of("user", user).withCost(1 + random.nextInt(each.mostCost()));
            long hold = Math.min(each.mostHoldNanos(), exponential(each.meanHoldNanos()));
            instances.apply(instance).enter(request, hold, each.mostHoldNanos(), each.waitNanos());
            passages(instance, user, each, until);
          });
    }
  }

  private long exponential(double mean) {
    return (long) (-Math.log(1 - random.nextDouble()) * mean);
  }

  private long next(double perSecond) {
    return time.now() + (long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond);
  }

  /** Gives the request any class of the rule that tells classes by {@link LoopSimulation#JOB}. */
  private Request ofAnyClass(Request request) {
    if (rule.get().classes().isEmpty() || classRandom.nextInt(3) > 0) {
      return request;
    }
    Map<String, String> attributes = new HashMap<>(request.attributes());
    attributes.put(LoopSimulation.JOB, "nightly");
    return new Request(attributes, request.cost());
  }
}
