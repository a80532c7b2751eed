package io.quotaenforcer.core.message;

/**
 * An instance's report on its share.
 *
 * @param number of the terms in force; {@link RateShare#ENDED} once nothing can be taken by it; 0
 *     for a cell that is not of a share
 * @param used permits of it that count as used now; {@link #NOT_SAID} if that is not said
 */
public record NamedShare(long number, long used) {
  public static final long NOT_SAID = -1;

  /** A cell that is not of a share. */
  public static final NamedShare NONE = new NamedShare(0, NOT_SAID);
}
