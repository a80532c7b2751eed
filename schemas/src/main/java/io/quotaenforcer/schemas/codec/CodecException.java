package io.quotaenforcer.schemas.codec;

import org.jspecify.annotations.Nullable;

/** A record that could not be encoded or decoded. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why, and so what to do next. */
  public enum Reason {
    /** The bytes are no record, or the record breaks its schema. Trying again does not help. */
    MALFORMED,

    /** The record has a type that does not belong here. Trying again does not help. */
    UNEXPECTED_TYPE,

    /**
     * The schema it was written with is not known. Without a registry, a newer version wrote it
     * without announcing its schema: update this reader; with one, the writer uses another.
     */
    UNKNOWN_SCHEMA,

    /** The schema it was written with cannot be read by this reader's. Update one of them. */
    INCOMPATIBLE_SCHEMA,

    /** No registry is configured although one is needed, or its client is not on the class path. */
    REGISTRY_REQUIRED,

    /** The registry refused. Change the schema, its settings or the credentials. */
    REGISTRY_REFUSED,

    /** The registry did not answer, or not like a registry. Try again. */
    REGISTRY_UNAVAILABLE
  }

  private final Reason reason;

  public CodecException(Reason reason, String message) {
    this(reason, message, null);
  }

  public CodecException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** Whether the same bytes or record may succeed later without any change. */
  public boolean isRetriable() {
    return reason == Reason.REGISTRY_UNAVAILABLE;
  }
}
