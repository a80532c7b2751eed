package io.quotaenforcer.core.message;

/**
 * Who uses permits of a quota key, or holds them: by a text, on the wire and in rows. Texts that
 * begin with # are ours.
 */
public sealed interface HolderId {

  /** As it is written. */
  String text();

  /** The holder that a text means. */
  static HolderId of(String text) {
    if (text.isEmpty()) {
      return Unrecorded.ONE;
    }
    if (text.startsWith(Replays.PREFIX)) {
      return new Replays(text);
    }
    if (text.charAt(0) == Reserved.MARK) {
      return new Reserved(text);
    }
    return text.startsWith(Combiner.PREFIX) ? new Combiner(text) : new Instance(text);
  }

  /** A running admission client. */
  record Instance(String text) implements HolderId {
    /** Of the text, which is kept with each quota key that the instance uses. */
    public static final int MAX_CHARS = 200;
  }

  /**
   * What counts the request events of a partition. Nothing keeps a service from calling an instance
   * like this: what comes through our own topic is of a combiner.
   */
  record Combiner(String text) implements HolderId {
    private static final String PREFIX = "combiner-";

    public static Combiner of(int partition) {
      return new Combiner(PREFIX + partition);
    }
  }

  /** The queues of deferred requests of a partition, which spend permits like an instance. */
  record Replays(String text) implements HolderId {
    /** How their texts begin. */
    public static final String PREFIX = "#replays-";

    public static Replays of(int partition) {
      return new Replays(PREFIX + partition);
    }
  }

  /** What an enforcer may have granted that left no trace. */
  enum Unrecorded implements HolderId {
    ONE;

    @Override
    public String text() {
      return "";
    }
  }

  /** A text of ours that no sender has. */
  record Reserved(String text) implements HolderId {
    private static final char MARK = '#';

    /** Stands for holders that were folded into one. */
    public static final Reserved FOLDED = new Reserved("#folded");
  }
}
