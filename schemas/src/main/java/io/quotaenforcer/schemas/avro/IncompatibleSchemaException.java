package io.quotaenforcer.schemas.avro;

/** Thrown when data written by one schema cannot be read by another. */
public final class IncompatibleSchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IncompatibleSchemaException(String message) {
    super(message);
  }
}
