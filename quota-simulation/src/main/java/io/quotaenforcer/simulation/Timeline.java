package io.quotaenforcer.simulation;

import java.util.PriorityQueue;

/** Steps ordered by time; steps of the same time in order of entry. */
public final class Timeline {
  private final PriorityQueue<Step> steps = new PriorityQueue<>();
  private long now;
  private long sequence;

  private record Step(long at, long order, Runnable run) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  public Timeline(long start) {
    now = start;
  }

  public long now() {
    return now;
  }

  public void at(long time, Runnable run) {
    steps.add(new Step(Math.max(time, now), sequence++, run));
  }

  public void runUntil(long end) {
    while (!steps.isEmpty() && steps.peek().at <= end) {
      Step step = steps.poll();
      now = step.at;
      step.run.run();
    }
    now = Math.max(now, end);
  }
}
