package io.quotaenforcer.core.message;

/**
 * A user or holder of a quota key's permits, identified by a text on the wire and in rows. Texts
 * that begin with # are reserved.
 */
public sealed interface HolderId {

  /** The text on the wire. */
  String text();

  /** The holder with a text. */
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
    /** Length of the text, which is stored with each quota key that the instance uses. */
    public static final int MAX_CHARS = 200;
  }

  /**
   * The counter of a partition's request events. A service may call an instance like this: a report
   * counts as a combiner's only in our own topic.
   */
  record Combiner(String text) implements HolderId {
    private static final String PREFIX = "combiner-";

    public static Combiner of(int partition) {
      return new Combiner(PREFIX + partition);
    }
  }

  /** The queues of deferred requests of a partition, which spend permits like an instance. */
  record Replays(String text) implements HolderId {
    /** Beginning of their texts. */
    public static final String PREFIX = "#replays-";

    public static Replays of(int partition) {
      return new Replays(PREFIX + partition);
    }
  }

  /** Grants that an enforcer may have made without a trace. */
  enum Unrecorded implements HolderId {
    ONE;

    @Override
    public String text() {
      return "";
    }
  }

  /** A reserved text that no sender has. */
  record Reserved(String text) implements HolderId {
    private static final char MARK = '#';

    /** Represents holders that were folded into one. */
    public static final Reserved FOLDED = new Reserved("#folded");

    /** Names quota keys whose penalties end: it reports nothing else, in our own topic only. */
    public static final Reserved OPERATOR = new Reserved("#operator");
  }
}
