package io.quotaenforcer.core.message;

/**
 * Of what an instance reports of a quota key, the part that is of one class of requests.
 *
 * @param perSecond permits asked for per second, admitted or not
 * @param needed permits that requests wait for now
 */
public record ClassDemand(double perSecond, long needed) {
  /** Nothing is asked for. */
  public static final ClassDemand NONE = new ClassDemand(0, 0);
}
