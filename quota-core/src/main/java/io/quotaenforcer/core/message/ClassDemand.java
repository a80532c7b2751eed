package io.quotaenforcer.core.message;

/**
 * The part of an instance's report on a quota key that belongs to one class of requests.
 *
 * @param perSecond permits asked for per second, admitted or not
 * @param needed permits that requests wait for now
 */
public record ClassDemand(double perSecond, long needed) {
  /** Nothing is asked for. */
  public static final ClassDemand NONE = new ClassDemand(0, 0);
}
