package io.quotaenforcer.core;

import java.util.Arrays;

/** Bytes that a service hands over with a request, opaque to everyone else. Immutable. */
public final class Payload {
  public static final Payload EMPTY = new Payload(new byte[0]);

  /** 1 MiB. */
  public static final int MAX_BYTES = 1 << 20;

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes; their number is bounded elsewhere. */
  public static Payload of(byte[] bytes) {
    return new Payload(bytes.clone());
  }

  public int size() {
    return bytes.length;
  }

  public byte[] toByteArray() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
