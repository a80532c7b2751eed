package io.quotaenforcer.core.ledger;

/**
 * A usage report that contradicts itself: it is put aside whole, and the ledger stays as it was.
 */
public final class InvalidReportException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidReportException(String message) {
    super(message);
  }
}
