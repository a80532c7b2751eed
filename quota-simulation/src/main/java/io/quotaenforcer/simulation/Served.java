package io.quotaenforcer.simulation;

/** Permits that requests of a class asked for, and those that they got. */
public record Served(long asked, long admitted) {
  public static final Served NONE = new Served(0, 0);

  /** The part they got of what they asked for. */
  public double part() {
    return asked == 0 ? 1 : (double) admitted / asked;
  }

  Served plus(Served more) {
    return new Served(asked + more.asked, admitted + more.admitted);
  }
}
