package io.quotaenforcer.core.ledger;

/**
 * Which cells of a holder are closed and booked.
 *
 * @param granted highest id of a granted cell below which all are
 * @param opened lowest id of a self-opened cell above which all are
 */
public record Settled(long granted, long opened) {
  static final Settled NONE = new Settled(0, 0);

  boolean has(long id) {
    return id > 0 ? id <= granted : id >= opened;
  }
}
