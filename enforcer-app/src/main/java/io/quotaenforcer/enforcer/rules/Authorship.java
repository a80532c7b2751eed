package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.AuditRecord;
import java.util.Optional;

/**
 * The publisher and the reason, for the history.
 *
 * @param author not blank, at most {@value #MAX_AUTHOR_CHARS} characters
 * @param message at most {@value #MAX_MESSAGE_CHARS} characters
 * @param audit written together with the rules; empty where nobody asks for it
 */
public record Authorship(String author, Optional<String> message, Optional<AuditRecord> audit) {
  public static final int MAX_AUTHOR_CHARS = 100;
  public static final int MAX_MESSAGE_CHARS = 1_000;

  public Authorship(String author, Optional<String> message) {
    this(author, message, Optional.empty());
  }

  public Authorship {
    if (author.isBlank() || author.length() > MAX_AUTHOR_CHARS) {
      throw new IllegalArgumentException(
          "must be 1 to %d characters: author=%s".formatted(MAX_AUTHOR_CHARS, author));
    }
    if (message.isPresent() && message.get().length() > MAX_MESSAGE_CHARS) {
      throw new IllegalArgumentException(
          "must be at most %d characters: message has %d"
              .formatted(MAX_MESSAGE_CHARS, message.get().length()));
    }
  }

  /** The same author with a reason put before the message, cut if it gets too long. */
  Authorship because(String reason) {
    String whole = message.map(said -> reason + ": " + said).orElse(reason);
    return new Authorship(
        author,
        Optional.of(whole.substring(0, Math.min(whole.length(), MAX_MESSAGE_CHARS))),
        audit);
  }
}
