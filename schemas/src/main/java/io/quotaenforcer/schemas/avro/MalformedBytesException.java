package io.quotaenforcer.schemas.avro;

/** Bytes do not hold what their schema says. */
public final class MalformedBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedBytesException(String message) {
    super(message);
  }
}
