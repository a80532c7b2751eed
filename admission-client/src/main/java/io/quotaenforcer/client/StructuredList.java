package io.quotaenforcer.client;

/** A list of strings with integer parameters, as RFC 9651 writes them in an HTTP field. */
final class StructuredList {
  private final StringBuilder text = new StringBuilder();

  /** Begins an item. */
  StructuredList item(String value) {
    if (!text.isEmpty()) {
      text.append(", ");
    }
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~') {
        throw new IllegalArgumentException("must be printable ASCII: policy=" + value);
      }
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    text.append('"');
    return this;
  }

  /** A parameter of the last item; an integer of at most 15 digits, as limits have. */
  StructuredList parameter(String name, long value) {
    text.append(';').append(name).append('=').append(value);
    return this;
  }

  boolean isEmpty() {
    return text.isEmpty();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
