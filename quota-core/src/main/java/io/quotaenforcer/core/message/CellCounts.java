package io.quotaenforcer.core.message;

/**
 * Use of a cell's permits so far. Every count only grows.
 *
 * @param granted granted permits that the instance knows of; 0 for a cell that it opened itself
 * @param taken permits taken from the cell, given back ones included
 * @param putBack permits put back because another rule refused; they may be taken again
 * @param givenBack permits that were taken only to return them to the enforcer, or by a request
 *     that did not use them
 * @param throttled permits asked for and refused while this was the cell in use
 */
public record CellCounts(long granted, long taken, long putBack, long givenBack, long throttled) {
  static final CellCounts NONE = new CellCounts(0, 0, 0, 0, 0);

  /** Permits of admitted requests. */
  public long used() {
    return taken - putBack - givenBack;
  }
}
